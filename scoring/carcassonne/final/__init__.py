"""The final scoring: features, farms, wonders, rule sets, the score sheet, and the explanation of each point."""
