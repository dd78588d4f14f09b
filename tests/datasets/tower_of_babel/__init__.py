"""Tests of the drawn tables of Tower of Babel."""
