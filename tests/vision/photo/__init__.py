"""Tests of `vision.photo`."""
