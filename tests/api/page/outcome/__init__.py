"""The outcome of a reading on the page."""
