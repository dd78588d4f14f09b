"""The look of each square of a lattice: the tile classifier, coats of arms, enrolled prints, and the bare table."""
