"""Tables of World Wonders in the project's own art, with their truth."""
