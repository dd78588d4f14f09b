"""Where score boards lie in a photo: the first edition's, and those that were enrolled."""
