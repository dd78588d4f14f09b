"""Tests of `models.evaluation`."""
