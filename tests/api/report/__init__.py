"""Tests of `api.report`."""
