"""Tests of `vision.score_track`."""
