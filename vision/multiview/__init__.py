"""Several photos of one table joined into one reading: lattices aligned, evidence about squares and pieces fused."""
