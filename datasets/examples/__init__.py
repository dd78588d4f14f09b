"""The project's example photos with their labels, and the command that renders them."""
