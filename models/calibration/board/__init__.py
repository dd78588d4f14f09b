"""Calibration of numbers about the board as a whole."""
