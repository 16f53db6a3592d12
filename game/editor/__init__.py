"""Editing a design: history, pure edits, tools. Draws nothing."""
