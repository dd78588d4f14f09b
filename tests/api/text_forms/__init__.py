"""Every form of text that a person can hand in, with numbers, lengths and depths that no person would use."""
