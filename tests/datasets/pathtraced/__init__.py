"""Tests of path-traced tables."""
