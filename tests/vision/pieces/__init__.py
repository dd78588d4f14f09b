"""Tests of `vision.pieces`."""
