"""Tests of `api.questions`."""
