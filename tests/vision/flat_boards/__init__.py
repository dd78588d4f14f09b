"""Tests of reading printed boards."""
