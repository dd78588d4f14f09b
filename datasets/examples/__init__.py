"""The project's own example photos with their labels, and the command that renders them."""
