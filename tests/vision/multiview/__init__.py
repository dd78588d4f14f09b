"""Tests of `vision.multiview`."""
