"""Tests of the rules of World Wonders."""
