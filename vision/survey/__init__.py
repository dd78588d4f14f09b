"""The evidence of one photo of a table before the rules are applied, and the places where its border cuts the board."""
