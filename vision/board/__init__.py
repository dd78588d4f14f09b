"""The board that the squares show: expansions on the table, wonders, unknown tiles, glare, and loose or missing
tiles."""
