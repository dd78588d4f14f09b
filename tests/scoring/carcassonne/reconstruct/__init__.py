"""Tests of `scoring.carcassonne.reconstruct`."""
