"""Correcting on the page: the sheets of squares and pieces, and concurrent changes by two people."""
