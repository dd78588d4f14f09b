"""A reading under correction: the tile on each square and the place of each meeple, as read or as set by a person.

Values set by a person are certain. Nothing that was read gets lost: a meeple's place is derived from the tile on which
it was read or set and the final tile on its square.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import numpy as np

from api.carcassonne.report.snapshot import (
    Snapshot,
    SnapshotTile,
    restore_layouts,
    restore_warp,
    restore_wonder_reading,
)
from api.errors import CorrectionError
from api.inputs.table_words import refuse_colour
from scoring.carcassonne.board.board import PlacedWonder, Placement
from scoring.carcassonne.board.box_rules import UNSAID
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.board.square_names import find_origin, name_square
from scoring.carcassonne.doubt.kinds.base import MEEPLE, transfer_meeple
from scoring.carcassonne.tiles.geometry import Square, place_geometry
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import read_wonder
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.connected_squares import MAX_BOARD_SQUARES
from scoring.errors import CatalogueError
from scoring.player_colours import NOBODY
from vision.doubt.piles import find_piles
from vision.doubt.player_names import find_player_names, is_about_player
from vision.doubt.wonder_pieces import find_marker, stand_as_marker, stand_by_foot
from vision.geometry.warp import is_in_front
from vision.photo.crops import CORNERS
from vision.pieces.meeples import PLACE_SURE, SHOWN_PROBABILITY
from vision.reading.board import place_meeple
from vision.reading.values import MeepleAlternative, MeepleReading, WonderReading

REACH = 10
"""Maximum distance in squares from those read at which a tile may be added. A guess."""


@dataclass(frozen=True, slots=True)
class Standing:
    """A meeple; `on` is the tile of its segment, `moved` is set if its foot is elsewhere than as read.

    It `stands` on the board, or only may stand there (`possible`), or a person has removed it.
    """

    meeple: MeepleReading
    on: Placement | None
    stands: bool
    possible: bool = False
    by_person: bool = False
    moved: bool = False


@dataclass(frozen=True, slots=True)
class Stand:
    """A meeple's place as set by a person; `place` is a part of the tile, None if unknown."""

    square: Square
    place: str | None
    colour: str
    kind: str
    pose: str


class Amended:
    """A reading with a person's corrections applied in order; every method is one correction.

    All raise CorrectionError for a correction that contradicts the board. `settled` are the squares a person has set,
    `piled` the ids of pieces read in piles; at the squares `ended` the board ends without a photo showing them, and at
    those `going_on` it continues. `waiting_owners` are the owners (None for nobody) of wonders not yet on the board.
    `box_rules` are the stated choices on boxes' own rules, `boxes` the stated copies of boxes. A wonder's owner set by
    a person, kept as the id of the marker, stays valid when the wonder is laid again.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._layouts = restore_layouts(snapshot)
        self._order = [(tile.row, tile.col) for tile in snapshot.tiles]
        self._warps = [restore_warp(view.warp) for view in snapshot.views]
        self.tiles = {(tile.row, tile.col): tile for tile in snapshot.tiles}
        self.wonders = [restore_wonder_reading(wonder) for wonder in snapshot.wonders]
        self.possible_wonders = [restore_wonder_reading(wonder) for wonder in snapshot.possible_wonders]
        self.settled: set[Square] = set()
        self.ended: set[Square] = set()
        self.going_on: set[Square] = set()
        self.waiting_owners: dict[str, str | None] = {}
        self.box_rules = UNSAID
        self.boxes: dict[str, int] = {}
        self._markers: dict[str, str | None] = {}
        read = [(m, True) for m in snapshot.meeples] + [(m, False) for m in snapshot.possible_meeples]
        self.meeples = {
            f"m{number}": Standing(meeple, self.placement((meeple.row, meeple.col)), stands, not stands)
            for number, (meeple, stands) in enumerate(read, 1)
        }
        self._next = len(read) + 1
        piles = find_piles(snapshot.meeples, snapshot.possible_meeples)
        self.piled = {f"m{number + 1}" for pile in piles for number in pile.pieces}
        self._is_about_player = partial(is_about_player, names=find_player_names(snapshot.meeples))

    def __eq__(self, other: object) -> bool:
        """Return whether two sets of corrections of a reading have the same result."""
        return isinstance(other, Amended) and self._list_said() == other._list_said()

    __hash__ = None  # type: ignore[assignment]

    def _list_said(self) -> tuple[object, ...]:
        wonders = [(o.placed.layout.id, o.placed.squares, o.probability, o.nobodys) for o in self.wonders]
        spoken = (self.settled, self.ended, self.going_on, self.waiting_owners, self._markers, self.piled)
        return self.tiles, wonders, self.meeples, self.box_rules, self.boxes, *spoken

    def placement(self, square: Square) -> Placement | None:
        """Return the known tile on a square, None if there is none."""
        tile = self.tiles.get(square)
        if tile is None or tile.tile is None:
            return None
        wonder = None if tile.cell is None else self._wonder_on(square)
        return Placement(tile.tile, tile.turns, cell=tile.cell, wonder=wonder.placed.layout if wonder else None)

    def lay(self, square: Square, name: str | None, turns: int) -> None:
        """Lay a tile on a square, occupied or empty; None stands for a tile that is in no catalogue."""
        self._refuse_far(square)
        if name is not None and name not in load_whole_catalogue():
            raise CorrectionError("tile_unknown_name", details={"tile": name})
        tile = None if name is None else Placement(name, turns)
        self._break_wonder(square)
        self._settle(_certain(square, tile))

    def clear(self, square: Square) -> None:
        """Take the tile off a square."""
        self._refuse_empty(square)
        self._break_wonder(square)
        del self.tiles[square]
        self.settled.add(square)

    def lay_wonder(self, name: str, square: Square, turns: int, layout: Mapping[str, Any] | None = None) -> None:
        """Lay a wonder with its first square there; it replaces the tiles on its squares and any other place of the
        wonder.

        `layout` is the content of its layout file; the default is the layout as read there, or the one then in force.
        """
        id = f"WH/{name.removeprefix('WH/')}"
        if id not in WONDERS:
            raise CorrectionError("tile_unknown_name", details={"wonder": name})
        as_read = self._place_as_read(id, square, turns)
        wonder = as_read if layout is None else _place_as_given(id, square, turns, layout)
        for wonder_square in wonder.squares:
            self._refuse_far(wonder_square)
        doubt = self._keep_doubt(wonder) if layout is not None else WonderReading(wonder, 1.0)
        for other in [o for o in self.wonders if o.placed.layout.id == id]:
            self._break_wonder(other.placed.squares[0])
        for wonder_square, placement in wonder.placements.items():
            self._break_wonder(wonder_square)
            self._settle(_certain(wonder_square, placement))
        self.wonders.append(doubt)
        self._own_again(id)

    def clear_wonder(self, square: Square) -> None:
        """Take the wonder off a square: its squares then hold unknown tiles.

        If other tiles were read and a wonder was only possible, the tiles stay and the possibility is dropped.
        """
        unlikely = [
            wonder
            for wonder in self.possible_wonders
            if any(square in placed.squares for placed in (wonder.placed, *(other for other, _ in wonder.alternatives)))
        ]
        if self._wonder_on(square) is None and not unlikely:
            raise CorrectionError("no_wonder_there", details=self._describe(square))
        self.possible_wonders = [wonder for wonder in self.possible_wonders if wonder not in unlikely]
        self._break_wonder(square)

    def confirm_tile(self, square: Square) -> None:
        """Confirm a tile, or the whole wonder on its square, as read."""
        self._refuse_empty(square)
        wonder = self._wonder_on(square)
        if wonder is not None:
            self.wonders = [replace(o, probability=1.0, alternatives=()) if o is wonder else o for o in self.wonders]
        for tile_square in wonder.placed.squares if wonder else (square,):
            self._settle(_certain(tile_square, self.placement(tile_square)))

    def stand(self, id: str | None, stand: Stand) -> str:
        """Place a meeple, a new one if no id is given; return its id."""
        self._refuse_empty(stand.square)
        placement = self.placement(stand.square)
        segment = None
        if stand.place is not None:
            segment = find_segment(placement.layout, placement.turns, stand.place) if placement else None
            if segment is None:
                raise CorrectionError("place_unknown", details={**self._describe(stand.square), "place": stand.place})
        wonder = self._wonder_on(stand.square)
        is_marker = wonder is not None and (stand.place or "").partition(":")[0] == "wonder"
        self._forget_marker(id, wonder.placed.layout.id if wonder is not None and is_marker else None)
        return self._stand(id, stand, placement, segment)

    def take(self, id: str) -> None:
        """Take a meeple off the board."""
        self._forget_marker(id)
        self.meeples[id] = replace(self._known(id), stands=False, possible=False, by_person=True)

    def confirm_meeple(self, id: str) -> None:
        """Confirm a meeple as read; one that was only possible is then absent."""
        standing = self._known(id)
        if standing.stands:
            self.confirm_player(standing.meeple.colour)
        meeple = replace(standing.meeple, confidence=1.0, doubtful=False, alternatives=())
        self.meeples[id] = replace(standing, meeple=meeple, possible=False, by_person=True)

    def end_board(self, squares: Collection[Square], ends: bool) -> None:
        """Set whether the board ends at squares beside it or continues there."""
        self.ended.difference_update(squares)
        self.going_on.difference_update(squares)
        (self.ended if ends else self.going_on).update(squares)

    def count_pile(self, ids: Sequence[str], count: int) -> None:
        """Keep the first pieces of a pile and take the others, or add copies of the first."""
        first = self._known(ids[0])
        for id in ids[:count]:
            standing = self._known(id)
            ruled_out = [other for other in standing.meeple.alternatives if other.segment is None]
            meeple = replace(_rule_out(standing.meeple, ruled_out), crowded=False)
            self.meeples[id] = replace(standing, meeple=meeple, stands=True, possible=False, by_person=True)
        for id in ids[count:]:
            self.take(id)
        for _ in range(count - len(ids)):
            like = replace(first.meeple, confidence=1.0, doubtful=False, alternatives=(), crowded=False)
            self._add(replace(first, meeple=like, stands=True, possible=False, by_person=True, moved=True))

    def choose_special(self, kind: str, ids: Sequence[str], special: str | None) -> None:
        """Set which of some pieces is the only one of a kind; other doubts about each stay."""
        for id in ids:
            standing = self._known(id)
            self.meeples[id] = replace(standing, meeple=_settle_kind(standing.meeple, kind, id == special))

    def repaint_player(self, colour: str, instead: str) -> None:
        """Give all pieces of one colour another colour, which is then certain; take them if they are nobody's."""
        refuse_colour(colour)
        if instead == NOBODY:
            for id in [id for id, standing in self.meeples.items() if standing.meeple.colour == colour]:
                self.take(id)
            return
        refuse_colour(instead)
        self.waiting_owners = {id: instead if owner == colour else owner for id, owner in self.waiting_owners.items()}
        for id, standing in self.meeples.items():
            meeple = standing.meeple
            if meeple.colour == colour:
                ruled_out = [o for o in meeple.alternatives if o.colour == instead or self._is_about_player(meeple, o)]
                settled = _rule_out(meeple, ruled_out)
                self.meeples[id] = replace(standing, meeple=replace(settled, colour=instead))

    def confirm_player(self, colour: str) -> None:
        """Confirm the colour of all pieces of a player."""
        self.repaint_player(colour, colour)

    def own_wonder(self, name: str, colour: str | None, beforehand: bool = False) -> None:
        """Set whose marker stands on a wonder; None stands for nobody.

        An owner stated `beforehand` for a wonder that is not on the board waits until it is laid.
        """
        id = f"WH/{name.removeprefix('WH/')}"
        if colour is not None:
            _refuse_owner(colour)
        wonder = next((reading.placed for reading in self.wonders if reading.placed.layout.id == id), None)
        if wonder is None:
            if not beforehand or id not in WONDERS:
                raise CorrectionError("wonder_not_there", details={"wonder": name})
            self.waiting_owners[id] = colour
            return
        self.waiting_owners.pop(id, None)
        markers = [m for m, candidate in self.meeples.items() if self._marks(candidate, wonder)]
        standing = [m for m in markers if self.meeples[m].stands]
        for marker in markers if colour is None else [m for m in markers if m not in standing[:1]]:
            self.take(marker)
        self.wonders = [replace(o, nobodys=colour is None) if o.placed is wonder else o for o in self.wonders]
        self._markers[id] = None if colour is None else self._mark(wonder, colour, standing[0] if standing else None)

    def settled_meeple(self, standing: Standing) -> MeepleReading:
        """Return a meeple on the final tile of its square: on the corresponding part, or else by its foot."""
        meeple, now = standing.meeple, self.placement((standing.meeple.row, standing.meeple.col))
        if now == standing.on:
            return meeple
        wonder = self._find_further_wonder(standing)
        if wonder is not None and meeple is find_marker(self._list_standing(wonder), wonder):
            return stand_as_marker(meeple, wonder)
        like = partial(_like_part, old=standing.on, new=now)
        segment = like(meeple, meeple.segment)
        if segment is None and now is not None and not standing.by_person:
            return stand_by_foot(meeple, now)
        others = [(other, like(meeple, other.segment)) for other in meeple.alternatives if other.segment is not None]
        alternatives = [
            replace(o, segment=at) for o, at in others if at is not None and (o.colour or o.kind or at != segment)
        ]
        nowhere = [other for other in meeple.alternatives if other.segment is None]
        return replace(meeple, segment=segment, alternatives=(*alternatives, *nowhere))

    def _find_further_wonder(self, standing: Standing) -> PlacedWonder | None:
        """Return the wonder under a meeple that was read, or set, on another tile."""
        wonder = self._wonder_on((standing.meeple.row, standing.meeple.col))
        was_on_wonder = standing.on is not None and standing.on.wonder is not None
        return None if wonder is None or was_on_wonder else wonder.placed

    def _list_standing(self, wonder: PlacedWonder) -> list[MeepleReading]:
        """Return the meeples read, or set, on squares of a wonder."""
        return [
            standing.meeple
            for standing in self.meeples.values()
            if standing.stands and (standing.meeple.row, standing.meeple.col) in wonder.squares
        ]

    def _own_again(self, id: str) -> None:
        """Apply a person's statement about a wonder's owner to the wonder just laid."""
        if id in self.waiting_owners:
            self.own_wonder(id, self.waiting_owners[id])
        elif id in self._markers:
            wonder, marker = self.wonders[-1].placed, self._markers[id]
            if marker is None:
                self.own_wonder(id, None)
            elif not self._marks(self.meeples[marker], wonder):
                self.take(marker)
                self.own_wonder(id, self.meeples[marker].meeple.colour)

    def _forget_marker(self, id: str | None, wonder: str | None = None) -> None:
        """Forget the owner of a wonder after a contradicting correction of its marker or of another one on it."""
        given_markers = self._markers.items()
        self._markers = {
            one: marker for one, marker in given_markers if one != wonder and (marker is None or marker != id)
        }

    def _mark(self, wonder: PlacedWonder, colour: str, marker: str | None) -> str:
        """Place a player's marker on a wonder, or recolour the one there; return its id."""
        if marker is not None:
            self.confirm_meeple(marker)
            standing = self.meeples[marker]
            self.meeples[marker] = replace(standing, meeple=replace(standing.meeple, colour=colour))
            return marker
        cell, segment = wonder.layout.marked
        square = wonder.squares[cell]
        stand = Stand(square, None, colour, "meeple", "upside_down")
        return self._stand(None, stand, self.placement(square), segment)

    def _marks(self, standing: Standing, wonder: PlacedWonder) -> bool:
        """Return whether a meeple stands, or may stand, on the wonder itself."""
        square = (standing.meeple.row, standing.meeple.col)
        segment = self.settled_meeple(standing).segment
        placement = self.placement(square)
        if (
            not (standing.stands or standing.possible)
            or square not in wonder.squares
            or segment is None
            or placement is None
        ):
            return False
        return placement.layout.segments[segment].kind == "wonder"

    def _stand(self, id: str | None, stand: Stand, placement: Placement | None, segment: int | None) -> str:
        before = None if id is None else self._known(id)
        if before is not None and before.stands and before.meeple.colour == stand.colour:
            self.confirm_player(stand.colour)
        if before is not None and (before.meeple.row, before.meeple.col) == stand.square:
            at, moved = before.meeple.at, before.moved
        else:
            at, moved = _spot(stand.square, placement, segment), True
        meeple = MeepleReading(
            colour=refuse_colour(stand.colour),
            kind=stand.kind,
            pose=stand.pose,
            foot_px=(0.0, 0.0) if before is None else before.meeple.foot_px,
            at=at,
            row=stand.square[0],
            col=stand.square[1],
            segment=segment,
            confidence=1.0,
            doubtful=False,
        )
        standing = Standing(meeple, placement, stands=True, by_person=True, moved=moved)
        if id is None:
            return self._add(standing)
        self.meeples[id] = standing
        return id

    def _add(self, standing: Standing) -> str:
        id, self._next = f"m{self._next}", self._next + 1
        self.meeples[id] = standing
        return id

    def _known(self, id: str) -> Standing:
        if id not in self.meeples:
            raise CorrectionError("meeple_unknown", details={"id": id})
        return self.meeples[id]

    def _settle(self, tile: SnapshotTile) -> None:
        if (tile.row, tile.col) not in self.tiles and len(self.tiles) >= MAX_BOARD_SQUARES:
            raise CorrectionError("too_many_tiles", details={"most": MAX_BOARD_SQUARES})
        self.tiles[tile.row, tile.col] = tile
        self.settled.add((tile.row, tile.col))

    def _wonder_on(self, square: Square) -> WonderReading | None:
        return next((wonder for wonder in self.wonders if square in wonder.placed.squares), None)

    def _keep_doubt(self, wonder: PlacedWonder) -> WonderReading:
        """Return a wonder as set by a person; a correction of its coats of arms alone leaves doubts about its edges
        open.
        """
        read = self._wonder_on(wonder.squares[0])
        if read is None:
            possible = (other for other in self.possible_wonders if other.placed.is_copy_of(wonder))
            coats = next((other.coats for other in possible if other.placed.edges == wonder.edges), None)
            return WonderReading(wonder, 1.0, coats=coats)
        if read.placed.edges != wonder.edges:
            return WonderReading(wonder, 1.0)
        return replace(read, placed=wonder)

    def _place_as_read(self, id: str, square: Square, turns: int) -> PlacedWonder:
        """Return a wonder there, by the copy read at this place, or else by the layout in force during the reading."""
        laid = (*self.wonders, *self.possible_wonders)
        read = [placed for o in laid for placed in (o.placed, *(other for other, _ in o.alternatives))]
        layout = self._layouts[id]
        known = (placed for placed in read if placed.layout.id == id and not placed.layout.is_bare)
        there = (placed for placed in known if (placed.turns, placed.squares[0]) == (turns, square))
        return next(there, PlacedWonder(layout, layout.anchor(square, 0, turns), turns))

    def _break_wonder(self, square: Square) -> None:
        """Remove the wonder on a square, leaving unknown tiles on its squares."""
        wonder = self._wonder_on(square)
        if wonder is None:
            return
        self.wonders.remove(wonder)
        for wonder_square in wonder.placed.squares:
            self.tiles[wonder_square] = _certain(wonder_square, None)
            self.settled.discard(wonder_square)

    def _describe(self, square: Square) -> dict[str, object]:
        return {"square": list(square), "where": name_square(square, find_origin(self.tiles))}

    def _refuse_empty(self, square: Square) -> None:
        if square not in self.tiles:
            raise CorrectionError("square_empty", details=self._describe(square))

    def _refuse_far(self, square: Square) -> None:
        low, high = np.min(self._order, axis=0), np.max(self._order, axis=0)
        quad = CORNERS + np.array([square[1], square[0]])
        near = bool((low - REACH <= square).all() and (square <= high + REACH).all())
        if not near or not all(is_in_front(warp, quad).all() for warp in self._warps):
            raise CorrectionError("square_too_far", details=self._describe(square))


def _place_as_given(id: str, square: Square, turns: int, entry: Mapping[str, Any]) -> PlacedWonder:
    """Return a wonder there with a person's layout; raises CorrectionError with the codes of a wonder's file."""
    try:
        layout = read_wonder(entry)
    except CatalogueError as error:
        raise CorrectionError("bad_wonder_layout", details={"reason": error.code}) from error
    if layout.id != id:
        raise CorrectionError("bad_wonder_layout", details={"wonder": id})
    shipped = load_wonder_catalogue()[id]
    layout = shipped if layout.entry == shipped.entry else layout
    return PlacedWonder(layout, layout.anchor(square, 0, turns), turns)


def _certain(square: Square, tile: Placement | None) -> SnapshotTile:
    """Return a tile set by a person; an unknown one stays a doubt, though some tile certainly lies there."""
    return SnapshotTile(
        row=square[0],
        col=square[1],
        tile=tile.tile if tile else None,
        turns=tile.turns if tile else 0,
        confidence=1.0,
        doubtful=tile is None,
        cell=tile.cell if tile else None,
    )


def _rule_out(meeple: MeepleReading, others: Collection[MeepleAlternative]) -> MeepleReading:
    """Return a meeple without some alternatives; its confidence is renormalised, and its doubt ends once it is sure."""
    if not others:
        return meeple
    left = max(1 - sum(other.probability for other in others), SHOWN_PROBABILITY)
    confidence = min(1.0, meeple.confidence / left)
    left_over = tuple(other for other in meeple.alternatives if other not in others)
    return replace(
        meeple,
        confidence=confidence,
        doubtful=meeple.doubtful and confidence < PLACE_SURE and bool(left_over),
        alternatives=left_over,
    )


def _settle_kind(meeple: MeepleReading, kind: str, is_it: bool) -> MeepleReading:
    """Settle whether a meeple is of a kind that each player has once; otherwise it is a common one.

    Its other places stay in doubt, each with the probability of the likeliest piece there.
    """
    now = kind if is_it else MEEPLE if meeple.kind == kind else meeple.kind
    kinds = {kind, MEEPLE} if meeple.kind == kind else {kind}
    there = [other for other in meeple.alternatives if other.segment is not None and other.colour is None]
    here = [other for other in there if other.segment == meeple.segment]
    decided = [other for other in here if other.kind and (is_it or other.kind in kinds)]
    away = sorted((other for other in there if other not in here), key=lambda other: other.probability)
    likeliest = {other.segment: other for other in away}
    settled = _rule_out(meeple, [*decided, *(other for other in away if likeliest[other.segment] is not other)])
    alternatives = [
        replace(other, kind=None) if other.segment in likeliest and other.colour is None else other
        for other in settled.alternatives
    ]
    return replace(settled, kind=now, alternatives=tuple(alternatives))


def _refuse_owner(colour: str) -> None:
    """Raise CorrectionError for an invalid colour of a wonder's owner, with a hint how to state that nobody owns it."""
    try:
        refuse_colour(colour)
    except CorrectionError as error:
        text = f"{error.text} For a wonder that nobody holds it is null."
        raise CorrectionError(error.code, text, {**error.details, "nobody": "null"}) from error


def _spot(square: Square, placement: Placement | None, segment: int | None) -> tuple[float, float]:
    """Return a point (x, y) of the lattice inside a part of a tile."""
    if placement is None or segment is None:
        return square[1] + 0.5, square[0] + 0.5
    part = place_geometry(placement.layout.segments[segment].geometry, placement.turns, square)
    point = part.point_on_surface()
    return float(point.x), float(point.y)


def _like_part(meeple: MeepleReading, segment: int | None, old: Placement | None, new: Placement | None) -> int | None:
    """Return the part of a new tile that corresponds best to a part of the old tile."""
    return transfer_meeple(replace(place_meeple(meeple), segment=segment), old, new).segment
