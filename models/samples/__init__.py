"""Training samples: the nets' inputs, the art and photos that are held out, and the composition of tables into
pictures."""
