"""The contents of a score board and its surroundings: pieces on its spaces, tokens of points, and their owners."""
