"""The plain engine: docs/model.md as Python that can be read; the oracle of the compiled one, and its fallback."""

from engine.plain.machine import PlainMachine

__all__ = ["PlainMachine"]
