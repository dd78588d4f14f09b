"""Tests of `api.http.routes`."""
