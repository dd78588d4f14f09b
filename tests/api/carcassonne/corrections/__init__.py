"""Tests of `api.carcassonne.corrections`."""
