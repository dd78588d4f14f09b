"""Tests of `api.carcassonne`."""
