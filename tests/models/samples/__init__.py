"""Tests of `models.samples`."""
