"""Tests of `api.explain`."""
