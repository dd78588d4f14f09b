"""The registry of games: their names, rules and readers."""
