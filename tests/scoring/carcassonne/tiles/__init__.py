"""Tests of `scoring.carcassonne.tiles`."""
