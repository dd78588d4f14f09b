"""What a reading may have got wrong: alternatives, and probabilities calibrated on tables of known truth."""
