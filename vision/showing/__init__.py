"""The wizard that enrols a printed board: its corners, its size by a bank card, and the printed shapes pointed at."""
