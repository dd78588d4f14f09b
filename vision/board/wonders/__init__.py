"""Wonder tiles on a board: their places, their identities, and the features on a copy's own squares."""
