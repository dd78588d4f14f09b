"""Tests of `api.store`."""
