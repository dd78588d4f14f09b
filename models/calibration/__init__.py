"""Commands that calibrate the reader's probabilities on tables of known truth."""
