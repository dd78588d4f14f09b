"""Tests of the rules of Tower of Babel."""
