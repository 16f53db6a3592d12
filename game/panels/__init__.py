"""Parts of screens: rectangles that draw themselves and know nothing of the screens that hold them."""
