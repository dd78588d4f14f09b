"""The nets' weights, their cards, and how they are trained and calibrated. Only the weights and cards are installed."""
