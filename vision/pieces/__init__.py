"""The pieces on the tiles: positions of feet, pieces with colour, pose and kind, and the features they stand on."""
