"""Tests of `vision.runtime`."""
