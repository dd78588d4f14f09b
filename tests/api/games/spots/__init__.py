"""Tests of `api.games.spots`."""
