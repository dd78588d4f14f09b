"""What stands on the tiles: places of feet, pieces with colour, pose and kind, and the features they stand on."""
