"""Reading of World Wonders tables: maps square by square, letters, monuments, and markers on resource boards."""
