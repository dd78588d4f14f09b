"""Tests of samples, training and calibration."""
