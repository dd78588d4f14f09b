"""Corrections of a reading of tiles: their application, and the review that they give."""
