"""Tests of `datasets.render`."""
