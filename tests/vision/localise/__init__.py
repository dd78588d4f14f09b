"""Tests of `vision.localise`."""
