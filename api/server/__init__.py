"""The server's settings, logs, tokens and errors."""
