"""Tests of `api.enrolment`."""
