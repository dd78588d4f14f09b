"""A tournament's tables: sittings, results, standings and errors."""
