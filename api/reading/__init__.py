"""Photos of one table: how they are opened and surveyed, the stages of reading them, and how such processes start."""
