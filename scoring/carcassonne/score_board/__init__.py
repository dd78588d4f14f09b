"""The score board: the areas of its spaces, and the points that a piece on one may stand for."""
