"""Tests of `datasets.games`."""
