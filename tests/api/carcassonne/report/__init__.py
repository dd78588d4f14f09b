"""Tests of `api.carcassonne.report`."""
