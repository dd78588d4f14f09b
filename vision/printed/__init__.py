"""What reading printed boards has in common: finding an enrolled board in a photo, its regions in millimetres, its
light and its reflections."""
