"""Boards and spots as a person types or sends them: notations, label files and `SPOT=VALUE` words."""
