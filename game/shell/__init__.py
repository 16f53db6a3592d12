"""What the screens around the workbench know, without drawing: levels and their doors, launches, the sky. No pygame."""
