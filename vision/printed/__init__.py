"""The common parts of reading printed boards: finding an enrolled board in a photo, its regions in millimetres, its
light and its reflections."""
