"""Tables of World Wonders in art of the project's own, with their truth."""
