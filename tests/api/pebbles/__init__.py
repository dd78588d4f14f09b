"""A tiny game of spots: that the front doors take a further game by one line in their registry."""
