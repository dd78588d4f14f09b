"""The 8 wonder tiles: drawings in files, checks of custom ones, and the facts stated in the rule texts."""
