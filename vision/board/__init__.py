"""Which board the squares show: expansions on the table, wonders, unknown tiles, glare, what is loose or missing."""
