"""Games with a printed board, as spots and their values: text forms, components files, and doubts that change
points.
"""
