"""A wonder that a person enrols: its layout and its print, from one photo of the tile by itself or in a game.

The person names the wonder. The reading of the photo is a proposal: edges that the person corrects count as sure, and
the rest is read again, so that each mistake is corrected only once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.carcassonne.wonders.files import build_bare_wonder
from scoring.carcassonne.wonders.shapes import move_squares
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import CatalogueError
from vision.arrays import Floats
from vision.board.legal.problem import EDGE_KINDS
from vision.board.wonders.copies import read_copy
from vision.board.wonders.evidence import SquareEvidence
from vision.enrolling.tiles import build_enrolment, select_tile_keys
from vision.enrolment.prints import Enrolment
from vision.errors import EnrolmentError, ReadingError
from vision.geometry.lattice_transform import turn_quad
from vision.localise.lattice import Lattice
from vision.localise.lone_wonder import find_lone_wonder
from vision.localise.outline_fit import Outline
from vision.localise.refinement import fit_plane
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.reader import Reader
from vision.reading.values import Reading, WonderReading
from vision.squares.background import MIN_KNOWN_TILES
from vision.squares.catalogue import mark_new_topologies
from vision.squares.square_reader import SquareReader

Edges = Mapping[tuple[Square, str], str]
"""The kinds of outer edges, by square (row, col) and side; field, road or city."""

MAX_TILE_NATS = 3.0
"""Maximum evidence of one square for, or against, an outline by whether it shows a tile. A guess."""
SURE_NATS = 100.0
"""Evidence of a person's statement about an edge: more than all read edges can have. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class WonderProposal:
    """A photo's reading of a wonder, and (4, 2) pixels of the corners NW, NE, SE, SW of each of its squares."""

    photo: Photo
    reading: WonderReading
    quads: Mapping[Square, Floats]

    @classmethod
    def begin(cls, photo: Photo, placed: PlacedWonder, quads: Mapping[Square, Floats]) -> WonderProposal:
        """Begin with the place of a wonder's squares, before its edges are read."""
        return cls(photo, WonderReading(placed, 1.0), quads)

    @property
    def layout(self) -> WonderLayout:
        """The proposed layout."""
        return self.reading.placed.layout

    def build_art(self) -> Enrolment:
        """Build the prints of its squares, each under its index in the proposed layout."""
        placed = self.reading.placed
        name = placed.layout.id.removeprefix("WH/")
        return build_enrolment(name, self.photo, self.quads, select_tile_keys(Board(placed.placements)))


def propose_wonder(
    reader: Reader, photo: Photo, id: str, outline: Outline | None = None, edges: Edges | None = None
) -> WonderProposal:
    """Read a wonder from a photo of the tile by itself, or of a game with it.

    A person may state the `outline` of the tile as it lies in the photo, and the kinds of some of its `edges`, by the
    squares of an earlier proposal's `quads`. Raises EnrolmentError `wonder_not_seen`, `not_five_squares`, and the
    errors of reading a photo.
    """
    layout = reader.board_tiles.wonders[id]
    game = None if outline else _read_game(reader, photo)
    if game is not None and (proposal := _propose_from_game(game, photo, id)) is not None:
        return correct_edges(reader, proposal, edges) if edges else proposal
    if game is not None and sum(tile.tile is not None and tile.cell is None for tile in game.tiles) >= MIN_KNOWN_TILES:
        raise EnrolmentError("wonder_not_seen", details={"wonder": id, "file": photo.file})
    weigh = partial(weigh_tiles, reader.square_reader, photo.halves)
    lone = find_lone_wonder(reader.localiser, photo.halves, layout, weigh, outline)
    placed = place_on_outline(layout, lone.outline)
    return _read_edges(reader, WonderProposal.begin(photo, placed, lone.build_lattice().corners), edges or {})


def correct_edges(reader: Reader, proposal: WonderProposal, edges: Edges) -> WonderProposal:
    """Read a wonder again with its squares as proposed, given a person's corrections of some edges."""
    placed = proposal.reading.placed
    in_force = reader.board_tiles.wonders[placed.layout.id]
    fresh = place_on_outline(in_force, tuple(sorted(placed.squares)))
    return _read_edges(reader, WonderProposal.begin(proposal.photo, fresh, proposal.quads), edges)


def weigh_tiles(square_reader: SquareReader, photo: Halves, lattice: Lattice) -> float:
    """Weigh the evidence for tiles against table on the squares of a lattice, in nats.

    A wonder is no tile of another box, some of which look like bare cardboard: these say nothing.
    """
    layouts = square_reader.read_alone(photo, lattice, [*lattice.corners]).layouts
    drawn = np.append(~mark_new_topologies(square_reader.catalogue), True)
    odds = np.logaddexp.reduce(layouts[:, :-1][:, drawn], axis=1) - layouts[:, -1]
    return float(np.clip(odds, -MAX_TILE_NATS, MAX_TILE_NATS).sum())


def place_on_outline(layout: WonderLayout, squares: Outline) -> PlacedWonder:
    """Lay a wonder on five squares (row, col) in an orientation that fits; a bare one if none does."""
    for turns in range(4):
        for square in squares:
            placed = PlacedWonder(layout, layout.anchor(square, 0, turns), turns)
            if {*placed.squares} == {*squares}:
                return placed
    return _strip(layout.id, squares)


def _read_game(reader: Reader, photo: Photo) -> Reading | None:
    """Read the photo as a game; None if it shows none."""
    try:
        return reader.read(photo)
    except ReadingError:
        return None


def _propose_from_game(game: Reading, photo: Photo, id: str) -> WonderProposal | None:
    """Return the wonder as read in a game; None if it was not read, or only its squares are known."""
    wonder = next((w for w in game.wonders if w.placed.layout.id == id and not w.placed.layout.is_bare), None)
    if wonder is None:
        return None
    covered = {*wonder.placed.squares}
    quads = {t.square: turn_quad(t.corners_px, t.turns) for t in game.tiles if t.square in covered}
    return WonderProposal(photo, wonder, quads)


def _read_edges(reader: Reader, proposal: WonderProposal, edges: Edges) -> WonderProposal:
    """Read the edges of a wonder's squares from the squares alone.

    If no arrangement of its features as inferred has the edges that a person stated, the features may lie anywhere on
    its squares. Raises CatalogueError `cannot_be_drawn` if that fails too.
    """
    squares = sorted(proposal.quads)
    plane = fit_plane(squares, np.array([proposal.quads[square] for square in squares]))
    lattice = Lattice(proposal.quads, dict.fromkeys(squares, 1.0), plane)
    logits = reader.square_reader.read_alone(proposal.photo.halves, lattice, squares)
    evidence = SquareEvidence.from_logits(squares, logits, reader.square_reader.catalogue)
    for (square, side), kind in edges.items():
        evidence.edges[squares.index(square), SIDES.index(side), EDGE_KINDS.index(kind)] += SURE_NATS
    id = proposal.reading.placed.layout.id
    anywhere = _strip(id, squares)
    for placed in (proposal.reading.placed, anywhere):
        reading = read_copy(replace(proposal.reading, placed=placed), evidence, squares)
        read = reading.placed.edges
        if not reading.placed.layout.is_bare and all(read[edge] == kind for edge, kind in edges.items()):
            return replace(proposal, reading=reading)
    raise CatalogueError("cannot_be_drawn", f"{id}: nothing that the rule texts allow has such edges", id=id)


def _strip(id: str, squares: Sequence[Square]) -> PlacedWonder:
    """Return a wonder of which only the squares are known."""
    corner = min(row for row, _ in squares), min(col for _, col in squares)
    return PlacedWonder(build_bare_wonder(id, tuple(sorted(move_squares(squares)))), corner)
