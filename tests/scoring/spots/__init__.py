"""Tests of `scoring.spots`."""
