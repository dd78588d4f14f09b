"""The laid table before rendering: tiles, pieces, score boards, clutter, and a camera."""
