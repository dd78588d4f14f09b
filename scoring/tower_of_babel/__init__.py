"""The rules of Tower of Babel: a table of spots, and its final scoring."""
