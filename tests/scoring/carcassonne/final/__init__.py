"""Tests of `scoring.carcassonne.final`."""
