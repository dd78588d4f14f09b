"""The rules of Tower of Babel: a table of spots, its final scoring, and whole games played and recorded."""
