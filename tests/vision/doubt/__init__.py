"""Tests of `vision.doubt`."""
