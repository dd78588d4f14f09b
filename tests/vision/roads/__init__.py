"""Tests of `vision.roads`."""
