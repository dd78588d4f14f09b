"""What each square of a lattice looks like: the tile classifier, coats of arms, prints that were enrolled, and bare
table."""
