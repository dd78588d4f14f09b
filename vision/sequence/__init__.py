"""Several photos of one game in the order of time: its boards in one frame, and how long each piece stood."""
