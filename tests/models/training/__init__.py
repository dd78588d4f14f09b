"""Tests of `models.training`."""
