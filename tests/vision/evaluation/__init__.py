"""Tests of comparing readings with labels."""
