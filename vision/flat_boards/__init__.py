"""Flat printed boards: detection of an enrolled board in a photo, its rectification, and its layout in millimetres."""
