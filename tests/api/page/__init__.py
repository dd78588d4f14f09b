"""Tests of `api.page`."""
