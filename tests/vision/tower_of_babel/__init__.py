"""Tests of reading Tower of Babel."""
