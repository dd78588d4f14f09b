"""Photos of one table read together: those that can be read, and which game they show."""
