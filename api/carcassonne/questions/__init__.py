"""Questions to a person about a reading of tiles and meeples, one kind of doubt in each module."""
