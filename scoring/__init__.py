"""From boards to score sheets: geometry and rules, without any pixels. Here lies what all games share."""
