"""Tests of the page of a game whose score is kept from photos."""
