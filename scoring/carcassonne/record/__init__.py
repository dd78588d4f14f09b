"""The record of a whole game, as values and as text, replayed by the rules."""
