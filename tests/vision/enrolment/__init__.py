"""Tests of `vision.enrolment`."""
