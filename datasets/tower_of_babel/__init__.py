"""Tables of Tower of Babel on a board drawn by the project, with their truth."""
