"""What the screen promises, measured: frames, the live score, and the first picture."""
