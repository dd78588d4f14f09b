"""Tests of `vision.teaching`."""
