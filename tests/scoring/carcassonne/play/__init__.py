"""Tests of `scoring.carcassonne.play`."""
