"""Tests of `scoring.carcassonne.board`."""
