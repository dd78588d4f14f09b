"""Tests of `vision.board`."""
