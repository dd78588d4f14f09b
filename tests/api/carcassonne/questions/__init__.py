"""Tests of `api.carcassonne.questions`."""
