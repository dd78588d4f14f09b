"""What was played between boards of one game, and what that leaves open."""
