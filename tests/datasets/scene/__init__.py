"""Tests of `datasets.scene`."""
