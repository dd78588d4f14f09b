"""What one photo tells of a table before the rules are asked, and where its border cuts the board."""
