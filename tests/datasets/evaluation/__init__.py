"""Tests of `datasets.evaluation`."""
