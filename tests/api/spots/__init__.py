"""Tests of `api.spots`."""
