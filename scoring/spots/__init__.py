"""Games whose board is printed, as spots and what lies there: text forms, components files, and doubts that change
points."""
