"""Photos of one table: how they are opened and surveyed, and the stages of reading them."""
