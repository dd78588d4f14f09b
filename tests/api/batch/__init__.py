"""Tests of `api.batch`."""
