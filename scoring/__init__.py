"""From boards to score sheets: geometry and rules, without any pixels. This level holds code shared by all games."""
