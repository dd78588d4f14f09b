"""Tests of `vision.enrolling`."""
