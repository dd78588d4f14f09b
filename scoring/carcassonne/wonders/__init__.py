"""The eight wonder tiles: drawings in files, checks of a person's own, and what the rule texts state."""
