"""Carcassonne: its report, corrections, questions and explanations, and the game as the protocol wants it."""
