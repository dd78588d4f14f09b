"""Boards as a person types or sends them: notations and label files."""
