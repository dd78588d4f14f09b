"""Tests of `api.inputs`."""
