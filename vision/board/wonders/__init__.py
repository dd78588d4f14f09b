"""Wonder tiles on a board: where they lie, which they are, and what a copy's own squares show."""
