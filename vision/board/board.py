"""The tiles of a board and the wonders on it: which layout each square shows, as the rules and the boxes allow."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.tiles.catalogue import Catalogue, turned_layouts
from scoring.carcassonne.tiles.geometry import Square
from vision.board.completeness import doubtful_where_told, likelier_bare, tiles_left, told_by_the_rest
from vision.board.connectivity import without_islands
from vision.board.expansions import all_laid, boxes_seen, games_seen, weighed_by_boxes, weighed_by_strangers
from vision.board.glare import unseen_tiles
from vision.board.legal.board import DOUBT_BELOW, LegalBoard, LegalSquare, legal_board
from vision.board.unknown_layouts import stranger, wonder_art
from vision.board.wonders import find_wonders, told_by_wonders
from vision.errors import ReadingError
from vision.geometry.lattice_transform import turned_quad
from vision.reading.values import TileAlternative, TileReading, WonderReading
from vision.squares.catalogue import twins_named
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey

Floats = NDArray[np.float64]

TILES_LEAST = 2
"""Fewer tiles that are read with some confidence are no board."""
SOME_CONFIDENCE = 0.5


class BoardTiles:
    """Names the tiles of boards by a catalogue, whose turned layouts (`classes`) the logits go with."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.classes = turned_layouts(catalogue)

    def read(
        self,
        squares: Sequence[Square],
        logits: TileLogits,
        placed: Sequence[PlacedSurvey],
        wonders: tuple[WonderReading, ...] | None = None,
    ) -> tuple[tuple[TileReading, ...], tuple[WonderReading, ...]]:
        """The legal board of some squares, and the wonders on it, which may be known already.

        Raises ReadingError `board_not_found`.
        """
        boxes, games, likely = self._on_table(logits)
        seen = TileLogits(likely, logits.edges)
        if wonders is None:
            wonders = find_wonders(squares, seen, self.catalogue, wonder_art(placed, squares))
        told = told_by_wonders(squares, seen, wonders)
        ordinary = np.array([all(square not in wonder.placed.squares for wonder in wonders) for square in squares])
        told = TileLogits(weighed_by_strangers(told.layouts, ordinary), told.edges)
        tiles = self._legal(squares, told, games, wonders, placed)
        unknown = {(tile.row, tile.col) for tile in tiles if tile.tile is None}
        if unknown and all_laid(_named(tiles), self.catalogue, games, boxes):
            tiles = self._legal(squares, likelier_bare(squares, told, unknown), games, wonders, placed)
        hidden = self._hidden(tiles, games, boxes, placed)
        if left := Counter() if boxes else tiles_left(_named(tiles), self.catalogue, games):
            known = {(tile.row, tile.col) for tile in tiles if tile.tile is not None}
            free = [square for square in squares if square not in known]
            unseen = [(tile.row, tile.col) for tile in hidden] if len(hidden) <= left.total() else []
            more, told = told_by_the_rest(squares, told, free, unseen, left, self.catalogue)
            tiles = doubtful_where_told(tiles, self._legal(more, told, games, wonders, placed))
            hidden = self._hidden(tiles, games, boxes, placed)
        tiles = (*tiles, *hidden)
        if sum(t.tile is not None and t.confidence >= SOME_CONFIDENCE for t in tiles) < TILES_LEAST:
            raise ReadingError("board_not_found")
        return tiles, wonders

    def is_whole(self, tiles: Sequence[TileReading], logits: TileLogits) -> bool:
        """Whether all tiles of the boxes that the squares show are among those read."""
        boxes, games, _ = self._on_table(logits)
        return all_laid(_named(tiles), self.catalogue, games, boxes)

    def _on_table(self, logits: TileLogits) -> tuple[tuple[str, ...], int, Floats]:
        """The expansions and how many base games the squares show, and (n, K + 2) log-probabilities weighed by them."""
        boxes = boxes_seen(logits.layouts, self.catalogue)
        likely = weighed_by_boxes(logits.layouts, self.catalogue, boxes)
        return boxes, games_seen(likely, self.catalogue), likely

    def _legal(
        self,
        squares: Sequence[Square],
        logits: TileLogits,
        games: int,
        wonders: Sequence[WonderReading],
        placed: Sequence[PlacedSurvey],
    ) -> tuple[TileReading, ...]:
        """The tiles of the legal board of some squares, wonders among them."""
        legal = legal_board(squares, logits.layouts, self.catalogue, games, logits.edges)
        plain = [self._tile(square, legal, placed) for square in legal.squares if square.choice != legal.none]
        return _with_twins_named(without_islands(_with_wonders(plain, wonders, placed[0])))

    def _hidden(
        self, tiles: Sequence[TileReading], games: int, boxes: Sequence[str], placed: Sequence[PlacedSurvey]
    ) -> tuple[TileReading, ...]:
        """Unknown tiles that may lie under glare: none once all tiles are laid."""
        return () if all_laid(_named(tiles), self.catalogue, games, boxes) else unseen_tiles(tiles, placed)

    def _tile(self, square: LegalSquare, legal: LegalBoard, placed: Sequence[PlacedSurvey]) -> TileReading:
        tile, turns = self._named(square.choice, legal)
        confidence, doubtful = square.confidence, square.doubtful
        if square.choice == legal.other and (found := stranger(placed, (square.row, square.col))):
            (tile, turns), confidence = found[0], confidence * found[1]
            doubtful = confidence < DOUBT_BELOW
        others = [(self._named(c, legal), p) for c, p in square.alternatives if c != legal.none]
        return TileReading(
            row=square.row,
            col=square.col,
            tile=tile,
            turns=turns,
            corners_px=turned_quad(placed[0].corners((square.row, square.col)), -turns),
            confidence=confidence,
            doubtful=doubtful or tile is None,
            alternatives=tuple(TileAlternative(t, k, p) for (t, k), p in others if t is not None),
        )

    def _named(self, choice: int, legal: LegalBoard) -> tuple[str | None, int]:
        return (None, 0) if choice >= legal.other else self.classes[choice]


def _named(tiles: Sequence[TileReading]) -> list[str]:
    """The tiles that are known, wonders apart."""
    return [tile.tile for tile in tiles if tile.tile is not None and tile.cell is None]


def _with_wonders(
    tiles: Sequence[TileReading], wonders: Sequence[WonderReading], placed: PlacedSurvey
) -> list[TileReading]:
    """The tiles with the squares of wonders named; these lie at their places among the others."""
    named = {(tile.row, tile.col): tile for tile in tiles}
    for wonder in wonders:
        turns = wonder.placed.turns
        others = [(o.squares, TileAlternative(o.layout.id, o.turns, p)) for o, p in wonder.alternatives]
        for cell, (row, col) in enumerate(wonder.placed.squares):
            named[row, col] = TileReading(
                row=row,
                col=col,
                tile=wonder.placed.layout.id,
                turns=turns,
                corners_px=turned_quad(placed.corners((row, col)), -turns),
                confidence=wonder.probability,
                doubtful=wonder.doubtful,
                alternatives=tuple(other for squares, other in others if (row, col) in squares),
                cell=cell,
            )
    return list(named.values())


def _with_twins_named(tiles: tuple[TileReading, ...]) -> tuple[TileReading, ...]:
    names = twins_named([tile.tile for tile in tiles])
    return tuple(replace(tile, tile=name) for tile, name in zip(tiles, names, strict=True))
