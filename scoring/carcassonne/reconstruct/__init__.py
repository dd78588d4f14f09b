"""Moves played between boards of one game, and what they leave open."""
