"""What the server keeps: readings and their corrections in a database, photos beside it."""
