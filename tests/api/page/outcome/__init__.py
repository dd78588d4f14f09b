"""Wonders on the page."""
