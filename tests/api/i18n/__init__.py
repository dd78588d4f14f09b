"""Tests of `api.i18n`."""
