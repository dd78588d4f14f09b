"""A tiny game of spots: all interfaces accept a further game by one line in their registry."""
