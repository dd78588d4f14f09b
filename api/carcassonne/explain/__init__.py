"""Explanations of a board: the source, the answer to a question, and its words."""
