"""The desk of an event on the page: the evidence for a table, handing in, the standings."""
