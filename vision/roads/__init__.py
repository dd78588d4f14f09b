"""Where the roads of tiles and wonders run as a photo shows them printed."""
