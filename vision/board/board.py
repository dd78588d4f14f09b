"""The tiles of a board and its wonders: the layout of each square, consistent with the rules and the boxes.

Every tile of a game is laid against another, so an isolated one is seldom a tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from copy import copy
from dataclasses import replace

import cv2
import numpy as np

from scoring.carcassonne.tiles.catalogue import Catalogue, find_tile_box, list_layout_turns
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from vision.arrays import Flags, Floats
from vision.board.completeness import (
    apply_bare_prior,
    apply_remaining_prior,
    count_remaining_tiles,
    doubt_contradicted_tiles,
    doubt_inferred_tiles,
)
from vision.board.expansions import (
    NONE_STATED,
    OTHER_BOXES,
    apply_box_prior,
    apply_unknown_layout_prior,
    count_copies,
    count_tile_supply,
    infer_boxes,
    is_supply_exhausted,
)
from vision.board.glare import find_tiles_under_glare
from vision.board.legal.board import LegalBoard, LegalSquare, find_legal_board
from vision.board.other_boxes import identify_unknown_layout, list_printed, name_other_tiles
from vision.board.table_likelihood import refuse_other_game, weigh_table
from vision.board.wonders.evidence import MarkerLooks
from vision.board.wonders.finder import FoundWonders, KnownArt, apply_wonder_evidence, find_wonders, read_wonder_coats
from vision.geometry.lattice_transform import turn_quad
from vision.reading.values import DOUBT_BELOW, TileAlternative, TileReading, WonderReading
from vision.squares.catalogue import resolve_river_twins
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey

MIN_GROUP_TILES = 3
"""Minimum number of tiles in a separate group that is part of the board. A guess."""


class BoardTiles:
    """A reader of a board's tiles with a catalogue, whose turned layouts (`classes`) are the columns of the logits.

    `wonders` are the layouts in force, by id, which may be replaced between two readings. `stated` are the copies of
    boxes on the table as far as a person stated them; `state` returns the reader of such a table.
    """

    def __init__(self, catalogue: Catalogue, wonders: Mapping[str, WonderLayout] | None = None) -> None:
        self.catalogue = catalogue
        self.wonders = wonders or load_wonder_catalogue()
        self.stated: Mapping[str, int] = NONE_STATED
        self.classes = list_layout_turns(catalogue)

    def state(self, copies: Mapping[str, int]) -> BoardTiles:
        """Return the reader of a table with these stated copies of boxes; no other reading knows of them."""
        other = copy(self)
        other.stated = copies
        return other

    def read(
        self,
        squares: Sequence[Square],
        logits: TileLogits,
        placed: Sequence[PlacedSurvey],
        known: FoundWonders | None = None,
        markers: MarkerLooks | None = None,
        is_begun: bool = False,
    ) -> tuple[tuple[TileReading, ...], FoundWonders]:
        """Read the legal board of some squares, and its wonders, unless they are `known`.

        The rows of `logits` belong to `squares`. `markers` are the odds that pieces stand on their heads, if pieces
        were inspected; known wonders are then searched for once more. Raises ReadingError `board_not_found`, unless
        an earlier photo shows that a game of Carcassonne has begun here.
        """
        copies, likely = self._weigh_by_boxes(logits)
        found = self._find_wonders(squares, TileLogits(likely, logits.edges), placed, known, markers)
        wonders = found.read
        ordinary = _mark_plain(squares, wonders)
        if found.read or found.possible:
            copies, likely = self._weigh_by_boxes(logits, _mark_plain(squares, (*found.read, *found.possible)))
        board_logits = apply_wonder_evidence(squares, TileLogits(likely, logits.edges), wonders)
        board_logits = TileLogits(apply_unknown_layout_prior(board_logits.layouts, ordinary), board_logits.edges)
        tiles = self._solve_board(squares, board_logits, copies, wonders, placed)
        unknown_squares = {tile.square for tile in tiles if tile.tile is None}
        if unknown_squares and is_supply_exhausted(_list_named_tiles(tiles), self.catalogue, copies):
            tiles = self._solve_board(
                squares, apply_bare_prior(squares, board_logits, unknown_squares), copies, wonders, placed
            )
        hidden_tiles = self._find_hidden_tiles(tiles, copies, placed)
        if remaining := count_remaining_tiles(_list_named_tiles(tiles), self.catalogue, copies):
            known_squares = {tile.square for tile in tiles if tile.tile is not None}
            free_squares = [square for square in squares if square not in known_squares]
            hidden_squares = [tile.square for tile in hidden_tiles] if len(hidden_tiles) <= remaining.total() else []
            more, board_logits = apply_remaining_prior(
                squares, board_logits, free_squares, hidden_squares, remaining, self.catalogue
            )
            tiles = doubt_inferred_tiles(tiles, self._solve_board(more, board_logits, copies, wonders, placed))
            hidden_tiles = self._find_hidden_tiles(tiles, copies, placed)
        if not is_begun:
            refuse_other_game(squares, logits, self.catalogue, tiles)
        tiles = doubt_contradicted_tiles(tiles, squares, logits, self.catalogue)
        supply = count_tile_supply(self.catalogue, copies)
        tiles = name_other_tiles(tiles, supply, self.stated, list_printed(tiles, placed))
        return (*tiles, *hidden_tiles), _keep_laid(found, tiles)

    def read_coats(
        self, found: FoundWonders, squares: Sequence[Square], logits: TileLogits, placed: Sequence[PlacedSurvey]
    ) -> FoundWonders:
        """Return the wonders of a board with their coats of arms as the photos show them.

        Coats of arms cost more time than the rest of a wonder and say nothing about its place, so they are read last.
        """
        _, likely = self._weigh_by_boxes(logits)
        return read_wonder_coats(found, squares, likely, self.catalogue, placed)

    def weigh_table(self, squares: Sequence[Square], logits: TileLogits, tiles: Sequence[TileReading]) -> float:
        """Return the probability that the squares, on which these tiles were read, show a table of Carcassonne."""
        return weigh_table(squares, logits, self.catalogue, tiles)

    def is_whole(self, tiles: Sequence[TileReading], logits: TileLogits) -> bool:
        """Return whether all tiles of the boxes on the table are among those read."""
        copies, _ = self._weigh_by_boxes(logits)
        return is_supply_exhausted(_list_named_tiles(tiles), self.catalogue, copies)

    def _find_wonders(
        self,
        squares: Sequence[Square],
        logits: TileLogits,
        placed: Sequence[PlacedSurvey],
        known: FoundWonders | None,
        markers: MarkerLooks | None,
    ) -> FoundWonders:
        if known is not None and markers is None:
            return known
        if known is not None and known.search is not None:
            return known.search.find(markers)
        art = collect_wonder_art(placed, squares)
        return find_wonders(squares, logits, self.catalogue, art, self.wonders, placed, markers)

    def _weigh_by_boxes(self, logits: TileLogits, ordinary: Flags | None = None) -> tuple[Mapping[str, int], Floats]:
        """Return the copies of each box on the table, and the (n, K + 2) log-probabilities given these.

        The `ordinary` (n,) squares are those that are and may be no wonder, by default all.
        """
        layouts = logits.layouts if ordinary is None else logits.layouts[ordinary]
        boxes = infer_boxes(layouts, self.catalogue, self.stated)
        likely = apply_box_prior(logits.layouts, boxes)
        return count_copies(likely, self.catalogue, boxes, self.stated), likely

    def _solve_board(
        self,
        squares: Sequence[Square],
        logits: TileLogits,
        copies: Mapping[str, int],
        wonders: Sequence[WonderReading],
        placed: Sequence[PlacedSurvey],
    ) -> tuple[TileReading, ...]:
        """Return the tiles of the legal board of some squares, wonders among them, given the `copies` of the boxes."""
        most = None if OTHER_BOXES in copies else max(copies.values())
        legal = find_legal_board(squares, logits.layouts, self.catalogue, most, logits.edges)
        plain = [self._read_tile(square, legal, placed) for square in legal.squares if square.choice != legal.none]
        tiles = exclude_islands(_insert_wonders(plain, wonders, placed[0]))
        names = resolve_river_twins([tile.tile for tile in tiles])
        return tuple(replace(tile, tile=name) for tile, name in zip(tiles, names, strict=True))

    def _find_hidden_tiles(
        self, tiles: Sequence[TileReading], copies: Mapping[str, int], placed: Sequence[PlacedSurvey]
    ) -> tuple[TileReading, ...]:
        """Return unknown tiles that may lie under glare: none once all tiles are laid."""
        return (
            ()
            if is_supply_exhausted(_list_named_tiles(tiles), self.catalogue, copies)
            else find_tiles_under_glare(tiles, placed)
        )

    def _read_tile(self, square: LegalSquare, legal: LegalBoard, placed: Sequence[PlacedSurvey]) -> TileReading:
        tile, turns = self._name_choice(square.choice, legal)
        confidence, doubtful = square.confidence, square.doubtful
        if square.choice == legal.other and (match := identify_unknown_layout(placed, (square.row, square.col))):
            (tile, turns), confidence = match[0], confidence * match[1]
            doubtful = confidence < DOUBT_BELOW
        others = [(self._name_choice(c, legal), p) for c, p in square.alternatives if c != legal.none]
        return TileReading(
            row=square.row,
            col=square.col,
            tile=tile,
            turns=turns,
            corners_px=turn_quad(placed[0].corners((square.row, square.col)), -turns),
            confidence=confidence,
            doubtful=doubtful or tile is None,
            alternatives=tuple(TileAlternative(t, k, p) for (t, k), p in others if t is not None),
        )

    def _name_choice(self, choice: int, legal: LegalBoard) -> tuple[str | None, int]:
        return (None, 0) if choice >= legal.other else self.classes[choice]


def _mark_plain(squares: Sequence[Square], wonders: Sequence[WonderReading]) -> Flags:
    """Mark (n,) the squares on which none of these wonders lies."""
    return np.array([all(square not in wonder.placed.squares for wonder in wonders) for square in squares], np.bool_)


def _keep_laid(found: FoundWonders, tiles: Sequence[TileReading]) -> FoundWonders:
    """Return the wonders except those on squares that are no part of the board."""
    laid = {tile.square for tile in tiles if tile.cell is not None}
    return replace(found, read=tuple(wonder for wonder in found.read if laid.issuperset(wonder.placed.squares)))


def _list_named_tiles(tiles: Sequence[TileReading]) -> list[str]:
    """List the known tiles of boxes that the reader counts: neither wonders nor enrolled tiles of further boxes."""
    return [tile.tile for tile in tiles if tile.tile is not None and find_tile_box(tile.tile) is not None]


def _insert_wonders(
    tiles: Sequence[TileReading], wonders: Sequence[WonderReading], placed: PlacedSurvey
) -> list[TileReading]:
    """Return the tiles with the squares of wonders named, at their places among the others."""
    tile_by_square = {tile.square: tile for tile in tiles}
    for wonder in wonders:
        turns = wonder.placed.turns
        others = [(o.squares, TileAlternative(o.layout.id, o.turns, p)) for o, p in wonder.alternatives]
        for cell, (row, col) in enumerate(wonder.placed.squares):
            tile_by_square[row, col] = TileReading(
                row=row,
                col=col,
                tile=wonder.placed.layout.id,
                turns=turns,
                corners_px=turn_quad(placed.corners((row, col)), -turns),
                confidence=wonder.probability,
                doubtful=wonder.doubtful,
                alternatives=tuple(other for squares, other in others if (row, col) in squares),
                cell=cell,
            )
    return list(tile_by_square.values())


def exclude_islands(tiles: Sequence[TileReading]) -> tuple[TileReading, ...]:
    """Return the largest group of touching tiles, and other sure groups, whose connection was missed."""
    if not tiles:
        return ()
    squares = np.array([tile.square for tile in tiles])
    at = tuple((squares - squares.min(0)).T)
    occupied = np.zeros(np.ptp(squares, axis=0) + 1, bool)
    occupied[at] = True
    groups = cv2.connectedComponents(occupied.astype(np.uint8), connectivity=4)[1][at]
    counts = np.bincount(groups)
    confidences = np.bincount(groups, [tile.confidence * (tile.tile is not None) for tile in tiles])
    is_sure = (counts >= MIN_GROUP_TILES) & (confidences >= DOUBT_BELOW * counts)
    is_sure[counts.argmax()] = True
    return tuple(tile for tile, group in zip(tiles, groups.tolist(), strict=True) if is_sure[group])


def collect_wonder_art(placed: Sequence[PlacedSurvey], squares: Sequence[Square]) -> KnownArt:
    """Return the evidence of wonders' enrolled prints on each square, from the most decisive photo."""
    evidence: dict[tuple[str, int, int], Floats] = {}
    for survey in placed:
        beyond = survey.survey.logits.beyond
        for column, key in enumerate(beyond.keys if beyond else ()):
            wonder, _, cell = key.tile.partition("#")
            if beyond is None or not cell:
                continue
            likelier = beyond.log_probs[:, column] - beyond.log_probs[:, -1]
            here = np.array([likelier[survey.index[s]] if s in survey.index else 0.0 for s in squares])
            name = (wonder, int(cell), key.turned(survey.step.turns).turns)
            evidence[name] = np.maximum(evidence.get(name, np.zeros(len(squares))), here)
    return evidence
