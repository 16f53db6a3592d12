"""The house's own machines: the design files of the campaign, made by short scripts.

A script draws one machine with :class:`engine.builder.Builder`, as a player would, and its docstring becomes the
machine's note. ``python -m levels.house [ids…]`` writes the files; a test compares them with what is committed.
"""
