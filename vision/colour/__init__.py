"""Light and colour: white balance, glare, reflections, colour histograms, and the names of players' paints."""
