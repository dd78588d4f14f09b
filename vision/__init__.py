"""From photos to readings: where tiles are, which they are, what stands on them, and how sure that is. Each stage has
a package of its own; `reader` runs them."""
