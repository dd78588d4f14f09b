"""Commands that fit numbers of the printed games on generated tables."""
