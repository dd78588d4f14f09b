"""The page of the API, in a real browser."""
