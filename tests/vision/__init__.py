"""Tests of reading photos, stage by stage and whole."""
