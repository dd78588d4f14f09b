"""Photos as pixels: bounded decoding, picture sizes and crops of squares."""
