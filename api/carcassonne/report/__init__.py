"""The report of a table of tiles and meeples: its builder, the snapshot that it can be built from again, and moves."""
