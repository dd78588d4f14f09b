"""Tests of reading World Wonders."""
