"""Tests of `scoring.carcassonne.deal`."""
