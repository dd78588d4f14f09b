"""A board with its meeples: features, problems, missing tiles, and its text forms (notation and label)."""
