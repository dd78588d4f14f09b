"""Several photos of one game in chronological order: its boards in one frame, and how long each piece stood."""
