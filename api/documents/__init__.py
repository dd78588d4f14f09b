"""Documents that all interfaces exchange, as typed models: data alone, without what a game does with it."""
