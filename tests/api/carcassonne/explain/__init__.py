"""Tests of `api.carcassonne.explain`."""
