"""Weights of the nets, their cards, and the code that trains and calibrates them. Only weights and cards are
installed."""
