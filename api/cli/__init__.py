"""The command line: one module for each command, and their output."""
