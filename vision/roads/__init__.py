"""The courses of roads on tiles and wonders as a photo shows them printed."""
