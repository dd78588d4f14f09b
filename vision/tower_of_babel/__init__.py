"""Reading of Tower of Babel boards: parts, discs, counters and the scoring marker."""
