"""Every game by one protocol: which games there are, and how each is read, scored, corrected and explained."""
