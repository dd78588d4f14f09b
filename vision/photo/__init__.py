"""Photos as pixels: bounded decoding, picture sizes, crops of squares, white balance, glare and colour histograms."""
