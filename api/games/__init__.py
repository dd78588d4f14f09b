"""All games behind one protocol: their list, and how each is read, scored, corrected and explained."""
