"""Storage of the server: readings and their corrections in a database, photos beside it."""
