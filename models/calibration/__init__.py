"""Commands that fit what makes probabilities honest, on tables of known truth."""
