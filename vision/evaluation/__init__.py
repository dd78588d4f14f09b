"""Readings held against labels: what `wondertally evaluate` counts, of Carcassonne and of games of spots."""
