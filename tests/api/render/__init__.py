"""Tests of `api.render`."""
