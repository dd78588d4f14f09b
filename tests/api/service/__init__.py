"""Tests of `api.service`."""
