"""Tests of `api.games`."""
