"""Training samples: what nets see, which art and photos are held out, and how tables become pictures."""
