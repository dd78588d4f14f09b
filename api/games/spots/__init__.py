"""Games of spots, which have a printed board: their registry, snapshots, reports, questions and explanations."""
