"""What is on a score board and beside it: pieces on its spaces, tokens of points, and whose they are."""
