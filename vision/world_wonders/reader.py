"""Reads tables of World Wonders: the players' maps and resource boards in photos, square by square."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from scoring.components import ComponentsError
from scoring.spots import Value
from scoring.world_wonders.components import Components, components
from scoring.world_wonders.kinds import BUILDINGS, COLOURS, NOTHING, TOWER, TRACKS, UNNAMED
from scoring.world_wonders.shapes import Shape, turns, turns_and_mirrors
from vision.errors import EnrolmentError, ReadingError
from vision.game_enrolments import GameEnrolment
from vision.halves import Halves
from vision.nets import MODELS, Net
from vision.photo import Photo
from vision.printed.board import EnrolledBoard
from vision.printed.layout import PictureFacts, read_layout, read_pictures
from vision.spots import SpotReading, TableReading
from vision.world_wonders.boards import Boards, SeatFound, seated
from vision.world_wonders.honest import honest
from vision.world_wonders.layout import Grid, Layout
from vision.world_wonders.markers import tracks_read
from vision.world_wonders.pieces import Piece, Pieces, pieces_of
from vision.world_wonders.pieces import Shape as Squares
from vision.world_wonders.squares import Sighted, sighted

Floats = NDArray[np.float64]

ALTERNATIVES = 4
LIKELY_LEAST = 0.002
MAP, RESOURCES = "map", "resources"


def reader(enrolment: GameEnrolment) -> WondersReader:
    """A reader of the tables of this copy.

    Raises EnrolmentError `boards_not_enrolled`, ComponentsError `components_invalid`, `component_missing`.
    """
    return WondersReader(enrolment)


@dataclass(frozen=True, slots=True, eq=False)
class _Seat:
    """What was read of one player: the colour with its probability, the readings, and how sure they are all in all."""

    colour: str
    probability: float
    readings: tuple[SpotReading, ...]

    @property
    def surety(self) -> float:
        return self.probability * float(np.mean([reading.confidence for reading in self.readings]))


class WondersReader:
    """Fulfils `vision.spots.TableReader` for one copy of the game."""

    def __init__(self, enrolment: GameEnrolment) -> None:
        self.components = components(enrolment.components)
        self.layout = read_layout(Layout, enrolment.components)
        facts = read_pictures(enrolment.components)
        self.maps = _boards(enrolment, facts, MAP)
        self.resources = _boards(enrolment, facts, RESOURCES)
        self._sizes = {MAP: next(iter(self.maps.values())).size_mm, RESOURCES: next(iter(self.resources.values())).size_mm}
        self._found_maps, self._found_resources = Boards(self.maps), Boards(self.resources)

    @cached_property
    def net(self) -> Net:
        return Net(MODELS / "maps.onnx")

    @cached_property
    def shapes(self) -> dict[str, Sequence[Squares] | None]:
        """The squares of every kind of piece in all its turns, None where they are not known."""
        return shapes_of(self.components)

    def likeness(self, photo: Photo) -> float:
        """How surely a photo shows a map board, 0 to 1."""
        found = self._found_maps.find(Halves(photo.pixels), alike="" in self.maps)
        return max((min(1.0, 2 * own.lie.alike) for own in found), default=0.0)

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """What lies on the table; of a player whom several photos show, the surest one is read.

        Raises ReadingError `board_not_found` where no photo shows a map board with its player's colour.
        """
        started = time.perf_counter()
        seats: dict[str, tuple[int, _Seat]] = {}
        shown: set[int] = set()
        for number, photo in enumerate(photos):
            for seat in self._seats(photo, number):
                shown.add(number)
                if seat.colour not in seats or seats[seat.colour][1].surety < seat.surety:
                    seats[seat.colour] = (number, seat)
        if not seats:
            raise ReadingError("board_not_found", "No map board with a player's resource board beside it was found.")
        kept = [number for number in range(len(photos)) if number in shown]
        place = {number: at for at, number in enumerate(kept)}
        players = tuple(colour for colour in COLOURS if colour in seats)
        readings = [
            SpotReading(own.id, own.value, own.confidence, own.alternatives, own.outline_px, place[seats[colour][0]])
            for colour in players
            for own in seats[colour][1].readings
        ]
        aside = tuple((photos[number], "board_not_found") for number in range(len(photos)) if number not in shown)
        spent = {"reading": (time.perf_counter() - started) * 1000}
        return TableReading(tuple(photos[number] for number in kept), players, tuple(readings), spent, aside)

    def _seats(self, photo: Photo, number: int) -> Iterator[_Seat]:
        picture = Halves(photo.pixels)
        maps = self._found_maps.find(picture, alike="" in self.maps)
        if not maps:
            return
        boards = self._found_resources.find(picture, alike=True)
        taken: set[str] = set()
        for seat in sorted(seated(maps, boards, self._sizes), key=lambda own: -max(own.likely.values(), default=0.0)):
            free = {colour: share for colour, share in seat.likely.items() if colour not in taken}
            if free:
                colour = max(free, key=lambda own: free[own])
                taken.add(colour)
                readings = (*self._squares(picture, seat, colour), *self._tracks(picture, seat, colour))
                yield _Seat(colour, free[colour], tuple(readings))

    def _squares(self, photo: Halves, seat: SeatFound, colour: str) -> Iterator[SpotReading]:
        terrain = self.components.terrain(colour)
        grid = Grid(terrain.rows, terrain.columns, self.layout.map.first, self.layout.map.square)
        said = sighted(photo, seat.map.lie, self._found_maps.board(colour), grid, self.net)
        found = pieces_of(said, self.shapes)
        names = _names(found)
        for (row, col), piece in sorted(found.owner.items()):
            if said.seen[row, col]:
                outline = seat.map.lie.to_photo(grid.corners[row, col])
                yield _square(f"map.{colour}.{row}.{col}", (row, col), piece, found, names, outline, seat.likely[colour])

    def _tracks(self, photo: Halves, seat: SeatFound, colour: str) -> Iterator[SpotReading]:
        if seat.resources is None:
            return
        board = self._found_resources.board(colour)
        read = tracks_read(photo, seat.resources.lie, board, self.layout.resources)
        for name in TRACKS:
            if name in read:
                likely = read[name].probabilities
                order = np.argsort(-likely)
                others = [(int(space), float(likely[space])) for space in order[1 : 1 + ALTERNATIVES]]
                best = int(order[0])
                outline = seat.resources.lie.to_photo(_space(self.layout, name, best))
                yield SpotReading(
                    f"resource.{colour}.{name}",
                    best,
                    honest("marker", float(likely[best])) * seat.likely[colour],
                    tuple(other for other in others if other[1] > LIKELY_LEAST),
                    outline,
                )


def shapes_of(known: Components) -> dict[str, Sequence[Squares] | None]:
    """The squares of every kind of piece in all turns, from (0, 0), None where the components do not tell them."""
    long, short = known.roads.long, sorted(set(known.roads.short_set))
    bars = {length: _turned([{(0, col): "#" for col in range(length)}], False) for length in (*short, long)}
    buildings = None
    if known.buildings.shapes is not None:
        buildings = _turned([own.squares for own in known.buildings.shapes], False)
    parts = [own.parts for own in known.monuments.values()]
    monuments = None
    if all(own is not None for own in parts):
        monuments = _turned([part for own in parts for part in own or ()], True)
    tower = [((0, 0),)] if known.towers.squares in (1, None) else None
    return {
        "road": [shape for own in bars.values() for shape in own],
        "bridge": bars[long],
        **dict.fromkeys(BUILDINGS, buildings),
        TOWER: tower,
        UNNAMED: monuments,
    }


def _turned(shapes: Sequence[Shape], mirrored: bool) -> list[Squares]:
    """All turns of some shapes, without repeats; each begins at the first square of its first row."""
    found: dict[Squares, None] = {}
    for shape in shapes:
        for own in turns_and_mirrors(shape) if mirrored else turns(shape):
            top, left = min(own)
            found[tuple(sorted((row - top, col - left) for row, col in own))] = None
    return list(found)


def _boards(enrolment: GameEnrolment, facts: Mapping[str, PictureFacts], what: str) -> dict[str, EnrolledBoard]:
    """The empty boards of a kind by colour, "" for one that all players have; raises EnrolmentError."""
    names = {"": what} | {colour: f"{what}-{colour}" for colour in COLOURS}
    found = {}
    for colour, name in names.items():
        if name in enrolment.pictures:
            if name not in facts:
                key = f"pictures.{name}.size_mm"
                raise ComponentsError("component_missing", f"{key} is not known: measure the board.", key=key)
            found[colour] = EnrolledBoard(enrolment.pictures[name], facts[name].size_mm)
    if not found:
        text = f"No picture of the empty boards called {what} or {what}-COLOUR was enrolled."
        raise EnrolmentError("boards_not_enrolled", text, {"picture": what})
    return {"": found[""]} if "" in found and what == MAP else {c: own for c, own in found.items() if c} or found


def _names(found: Pieces) -> dict[Piece, str]:
    """Each piece's value: pieces of a kind are numbered as their first squares come, row by row."""
    seen: Counter[str] = Counter()
    names = {}
    for piece in sorted(found.pieces, key=lambda own: min(own.squares)):
        seen[piece.name] += piece.name != NOTHING
        names[piece] = NOTHING if piece.name == NOTHING else f"{piece.name}#{seen[piece.name]}"
    return names


def _square(
    name: str,
    square: tuple[int, int],
    piece: Piece,
    found: Pieces,
    names: Mapping[Piece, str],
    outline: Floats,
    colour: float,
) -> SpotReading:
    most = Counter(own.name for own in names)
    shares: dict[Value, float] = {}
    for other in found.others.get(square, ()):
        if other.squares != piece.squares or other.kind != piece.kind:
            value = _called(other, square, found, names, most)
            shares[value] = shares.get(value, 0.0) + other.probability
    shares.pop(names[piece], None)
    ranked = sorted(shares.items(), key=lambda own: -own[1])[:ALTERNATIVES]
    sure = honest("nothing" if piece.name == NOTHING else "piece", piece.probability) * colour
    return SpotReading(name, names[piece], sure, tuple(own for own in ranked if own[1] > LIKELY_LEAST), outline)


def _called(
    other: Piece, square: tuple[int, int], found: Pieces, names: Mapping[Piece, str], most: Mapping[str, int]
) -> str:
    """The value of a square if another piece lies there: that of a piece of the kind which it shares most squares with."""
    if other.name == NOTHING:
        return NOTHING
    shared = Counter(found.owner[own] for own in other.squares if own in found.owner and own != square)
    for piece, _ in shared.most_common():
        if piece.kind == other.kind and piece is not found.owner[square]:
            return names[piece]
    return f"{other.name}#{most[other.name] + 1}"


def _space(layout: Layout, name: str, space: int) -> Floats:
    """(4, 2) millimetres: the corners of a track's space."""
    track = layout.resources[name]
    half = float(np.linalg.norm(track.step)) / 2
    return track.middles[space] + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])


__all__ = ["Sighted", "WondersReader", "reader", "shapes_of"]
