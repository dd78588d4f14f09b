"""Random and sensibly played games, for tables to render and to test with."""
