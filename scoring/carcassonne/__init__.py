"""The rules of Carcassonne with its wonders: tiles, boards, final scoring, doubts and the play of whole games."""
