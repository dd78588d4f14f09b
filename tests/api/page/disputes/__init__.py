"""Disputes on the page: questions, and points explained on the photo."""
