"""Alternative readings that would change a player's points, and the confidence in the score."""
