"""Commands that measure nets on art that they were not trained on; they fit nothing."""
