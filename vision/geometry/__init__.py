"""Maps between the table and the photo: warps with their inverses, rectification, the camera above the table, and
transforms between lattices."""
