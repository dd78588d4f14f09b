"""The score board: where its spaces lie, and how many points a piece on one may stand for."""
