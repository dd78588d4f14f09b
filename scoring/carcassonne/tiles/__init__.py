"""Tile layouts: drawings in the unit square, their topology derived from geometry, and the catalogue of boxes."""
