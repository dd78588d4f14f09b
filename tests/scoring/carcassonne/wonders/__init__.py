"""Tests of `scoring.carcassonne.wonders`."""
