"""Tests of `vision.survey`."""
