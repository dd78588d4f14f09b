"""Explanations: the question about a board, its source, and the typed answer."""
