"""Possible mistakes of a reading: alternatives, and probabilities calibrated on tables of known truth."""
