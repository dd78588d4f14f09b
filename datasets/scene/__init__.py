"""A laid table before anything is drawn: tiles, pieces, score boards, clutter, and a camera."""
