"""The play engine: a game turn by turn, with legal moves, points and the wonders' effects."""
