"""Documents that the interfaces of all games exchange, as typed models: data alone, without what a game does with it."""
