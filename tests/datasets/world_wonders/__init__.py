"""Tests of the drawn tables of World Wonders."""
