"""A fourth game, written by docs/games.md alone: a board with six quays, a stone on each or none."""
