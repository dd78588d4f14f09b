"""Tests of the page on which photos keep the score of a game."""
