"""Tests of `vision.sequence`."""
