"""Reads boards of Tower of Babel: parts, discs, counters and the scoring marker."""
