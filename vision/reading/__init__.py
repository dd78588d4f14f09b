"""Plain values that pass from the reader to scoring and to the report, and the board that scoring makes of them."""
