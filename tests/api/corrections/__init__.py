"""Tests of `api.corrections`."""
