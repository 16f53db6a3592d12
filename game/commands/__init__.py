"""What each command does: one module per family, imported by :mod:`game.cli` when it is called.

Every command returns its exit code: 0 good, 1 the design or the level fails, 2 wrong use or unreadable file.
"""
