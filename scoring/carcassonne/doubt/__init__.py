"""Which alternatives to what was read change a player's points, and how sure the scoring is."""
