"""Correcting on the page: the sheets of squares and pieces, and what two people do at once."""
