"""Tests of `scoring.carcassonne.record`."""
