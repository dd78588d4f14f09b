"""The desk of an event on the page: what a table is judged by, who hands tables in, who stands where."""
