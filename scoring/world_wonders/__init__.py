"""The rules of World Wonders: maps with their pieces, tracks and cards, and the final scoring."""
