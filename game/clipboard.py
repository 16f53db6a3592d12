"""The system's clipboard where there is one; else what was copied here."""

from __future__ import annotations

from contextlib import suppress

import pygame

_kept = ""


def put(text: str) -> None:
    """Copy."""
    global _kept
    _kept = text
    with suppress(pygame.error, AttributeError):
        pygame.scrap.put_text(text)


def get() -> str:
    """What can be pasted; empty where there is nothing."""
    text = ""
    with suppress(pygame.error, AttributeError, UnicodeDecodeError):
        text = pygame.scrap.get_text() or ""
    return text or _kept
