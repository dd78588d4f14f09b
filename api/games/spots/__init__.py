"""Games of spots, whose boards are printed: their registry, snapshots, reports, questions and explanations."""
