"""Readings of a board with a copy of the Alhambra whose edges are not the shipped ones."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from functools import cache

import numpy as np

from datasets.scene.varied_wonders import vary_wonder
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import build_bare_wonder, read_wonder
from scoring.carcassonne.wonders.tiles import COATS_UNSEEN, WonderLayout
from tests.api.doubted import SMALL
from tests.api.tables_read import reading_of
from tests.kept import keep
from vision.reading.values import Reading, WonderReading

ALHAMBRA = "WH/alhambra"
EDGES_GUESSED = "the edges"
"""A guess of a layout that does not concern coats of arms."""


@keep
def copy_of(id: str = ALHAMBRA, seed: int = 3) -> WonderLayout:
    return vary_wonder(id, np.random.default_rng(seed))


@cache
def other_copy() -> WonderLayout:
    """Return another copy, both of whose roads end elsewhere."""
    return read_wonder({**copy_of().entry, "roads": [{"edges": ["2,1 N"]}, {"edges": ["2,2 E"]}]})


@cache
def guess(layout: WonderLayout) -> WonderLayout:
    """Return a copy as a photo shows it: its edges are a guess, and its city's coat of arms is unknown."""
    return read_wonder({**layout.entry, "inferred": [EDGES_GUESSED, COATS_UNSEEN]})


def shipped(id: str = ALHAMBRA) -> WonderLayout:
    return load_wonder_catalogue()[id]


@cache
def bare() -> WonderLayout:
    return build_bare_wonder(ALHAMBRA, shipped().squares)


@cache
def dealt_with(layout: WonderLayout, seed: int = 1) -> Board:
    """Return a random board with a wonder of this layout."""
    return deal_random_board(random.Random(seed), SMALL, wonders=[layout])


def copied(
    layout: WonderLayout, others: Sequence[tuple[WonderLayout, float]] = (), seed: int = 1, probability: float = 1.0
) -> Reading:
    """Return a reading of a board with a wonder of this layout, which may be one of some others on the same squares."""
    board = dealt_with(layout, seed)
    (placed,) = board.wonders
    alternatives = tuple((PlacedWonder(other, placed.anchor, placed.turns), share) for other, share in others)
    return replace(reading_of(board), wonders=(WonderReading(placed, probability, alternatives),))


def describe_parts(layout: WonderLayout) -> list[list[tuple[object, ...]]]:
    """Describe the contents of each square: part, kind, edges and coats of arms."""
    return [
        [(part, s.kind, s.edges, s.shields) for part, s in zip(cell.parts, cell.segments, strict=True)]
        for cell in layout.cells
    ]
