"""Tests of api/store."""
