"""Tests of `scoring.carcassonne`."""
