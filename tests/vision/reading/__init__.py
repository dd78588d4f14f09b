"""Tests of `vision.reading`."""
