"""Photos as pixels: decoding with its limits, sizes of a picture, crops of squares, white balance, glare and
colour histograms."""
