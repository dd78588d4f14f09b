"""Tests of the page where empty boards are shown."""
