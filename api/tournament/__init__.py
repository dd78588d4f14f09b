"""A tournament's tables: listed tables, results, standings and errors."""
