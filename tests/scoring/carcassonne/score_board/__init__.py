"""Tests of `scoring.carcassonne.score_board`."""
