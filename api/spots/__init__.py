"""Games of spots, which have a printed board: their registry, readings, corrections, questions and explanations."""
