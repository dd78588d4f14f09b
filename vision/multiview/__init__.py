"""Several photos of one table joined into one reading: aligned lattices, fused evidence about squares and pieces."""
