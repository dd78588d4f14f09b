"""Tests of `models.calibration`."""
