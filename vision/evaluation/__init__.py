"""Comparison of readings with labels: the counts of `wondertally evaluate`, for Carcassonne and for games of spots."""
