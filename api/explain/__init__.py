"""Explanations: what is asked about a board, from which source, and the typed answer."""
