"""Drawing of the board: pure functions of a design and a moment."""
