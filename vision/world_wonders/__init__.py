"""Reads tables of World Wonders: maps square by square, letters, monuments, and markers on resource boards."""
