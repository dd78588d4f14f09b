"""Tests of all packages, in the same tree."""
