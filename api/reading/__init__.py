"""Reading of one table's photos: opening and surveying them, the stages, and the start of reader processes."""
