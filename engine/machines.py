"""Which engine runs a netlist."""

from __future__ import annotations

from typing import Literal

from engine.errors import UsageError
from engine.machine import Machine, Options
from engine.netlist import Netlist
from engine.truth import Workload

EngineName = Literal["auto", "plain", "compiled"]


def make_machine(netlist: Netlist, workload: Workload, options: Options, engine: EngineName) -> Machine:
    """A machine on the asked engine; ``auto`` takes the compiled one where numba can be imported."""
    if engine != "plain":
        try:
            from engine.kernel import CompiledMachine

            return CompiledMachine(netlist, workload, options)
        except ImportError:
            if engine == "compiled":
                raise UsageError("the compiled engine needs numba, which cannot be imported here") from None
    from engine.plain import PlainMachine

    return PlainMachine(netlist, workload, options)
