"""Reads tables of World Wonders: the players' maps and resource boards in photos, square by square."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from scoring.calibration import load_platt_scalings
from scoring.spots.components import ComponentsError
from scoring.spots.game import Value
from scoring.world_wonders.components import Components, load_components
from scoring.world_wonders.kinds import BUILDINGS, COLOURS, NOTHING, ROADS, TOWER, TRACKS, UNNAMED
from scoring.world_wonders.shapes import Shape, list_orientations, list_quarter_turns
from vision.arrays import Floats, Image
from vision.enrolment.games import GameEnrolment
from vision.errors import EnrolmentError, ReadingError
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.printed.board import BoardLie, EnrolledBoard
from vision.printed.layout import PictureFacts, read_layout, read_pictures
from vision.printed.reading import SpotReading, TableReading
from vision.runtime.onnx import MODELS, Net
from vision.world_wonders.boards import (
    Boards,
    Found,
    SeatFound,
    find_unpaired_maps,
    find_unpaired_resources,
    pair_boards,
)
from vision.world_wonders.calibration import Told, calibrate_probability
from vision.world_wonders.layout import Grid, Layout
from vision.world_wonders.letters import classify_letters, find_letter_doubts
from vision.world_wonders.markers import locate_markers
from vision.world_wonders.monument_enrolment import extract_monument_looks
from vision.world_wonders.monument_features import rectify_map
from vision.world_wonders.monuments import Monuments
from vision.world_wonders.pieces import Piece, Pieces, find_pieces
from vision.world_wonders.pieces import Shape as Squares
from vision.world_wonders.squares import Sighted, classify_map

ALTERNATIVES = 4
LIKELY_LEAST = 0.002
LIKE_LEAST = 0.6
"""A board that is found at all lies there: most of it may be covered."""
SAME_LEAST = 0.6
"""Of the squares that something lies on: maps of two players share fewer."""
MAP, RESOURCES = "map", "resources"
ALIKE_LEAST = {MAP: 0.2, RESOURCES: 0.75}
"""Of what is found by its place: a city covers most of a map, but markers little of a resource board."""


def build_reader(enrolment: GameEnrolment) -> WondersReader:
    """A reader of the tables of this copy.

    Raises EnrolmentError `game_not_enrolled`, ComponentsError `components_invalid`, `component_missing`.
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
    """Fulfils `vision.printed.reading.TableReader` for one copy of the game."""

    def __init__(self, enrolment: GameEnrolment) -> None:
        self.components = load_components(enrolment.components)
        self.layout = read_layout(Layout, enrolment.components)
        facts = read_pictures(enrolment.components)
        self.maps = _boards(enrolment, facts, MAP)
        self.resources = _boards(enrolment, facts, RESOURCES)
        self._sizes = {
            MAP: next(iter(self.maps.values())).size_mm,
            RESOURCES: next(iter(self.resources.values())).size_mm,
        }
        self.scalings = load_platt_scalings("world_wonders")
        self._maps, self._resources = Boards(self.maps), Boards(self.resources)
        self._monuments = Monuments(enrolment.pieces, self.components.monuments)

    @cached_property
    def net(self) -> Net:
        return Net(MODELS / "maps.onnx")

    @cached_property
    def letters(self) -> Net:
        return Net(MODELS / "letters.onnx")

    @cached_property
    def shapes(self) -> dict[str, Sequence[Squares] | None]:
        """The squares of every kind of piece in all its turns, None where they are not known."""
        return list_shapes(self.components)

    def likeness(self, photo: Photo) -> float:
        """How surely a photo shows a map board, 0 to 1."""
        found = self._maps.find(photo.halves, alike="" in self.maps)
        return max((LIKE_LEAST + (1 - LIKE_LEAST) * own.lie.alike for own in found), default=0.0)

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """What lies on the table; of a player whom several photos show, the surest one is read.

        Raises ReadingError `board_not_found` where no photo shows a map board.
        """
        started = time.perf_counter()
        seats: dict[str, tuple[int, _Seat]] = {}
        shown: set[int] = set()
        nameless: list[tuple[int, SeatFound]] = []
        for number, photo in enumerate(photos):
            for found, colour in self._found(photo.halves):
                shown.add(number)
                if colour:
                    _keep(seats, number, self._seat(photo.halves, found, colour, found.likely[colour]))
                else:
                    nameless.append((number, found))
        for number, found in nameless:
            self._keep_nameless(seats, number, photos[number].halves, found)
        if not seats:
            raise ReadingError("board_not_found", "No map board that was enrolled was found.")
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

    def sighted(self, photo: Photo) -> Iterator[tuple[str, Sighted]]:
        """What the net says of each map in a photo, with its player's colour."""
        for seat, colour in self._found(photo.halves):
            if colour:
                yield (
                    colour,
                    classify_map(photo.halves, seat.map.lie, self._maps.board(colour), self._grid(colour), self.net),
                )

    def maps_in(self, photo: Photo) -> Iterator[tuple[BoardLie, Grid, str]]:
        """Where maps lie in a photo, their squares, and their players' colours."""
        for seat, colour in self._found(photo.halves):
            if colour:
                yield seat.map.lie, self._grid(colour), colour

    def taught(self, photo: Photo, spots: Sequence[SpotReading]) -> Mapping[str, Sequence[Image]]:
        """What monuments look like that a reading names; fulfils `vision.printed.reading.TaughtReader`."""
        return extract_monument_looks(photo, spots, self.components.monuments, self._map_of)

    def _seat(self, photo: Halves, found: SeatFound, colour: str, likely: float) -> _Seat:
        squares = self._named(photo, found, colour, [*self._squares(photo, found, colour, likely)])
        readings = (*squares, *self._tracks(photo, found, colour, likely))
        return _Seat(colour, likely, readings)

    def _keep_nameless(self, seats: dict[str, tuple[int, _Seat]], number: int, photo: Halves, found: SeatFound) -> None:
        """Add a map whose player does not show: one of those left, in doubt but where only one is.

        A map that another photo shows with its player's colour is passed over.
        """
        left = [
            colour for colour in COLOURS if colour not in seats and ("" in self.resources or colour in self.resources)
        ]
        if left:
            likely = float(np.prod([seat.probability for _, seat in seats.values()])) / len(left)
            own = self._seat(photo, found, left[0], likely)
            if not any(other != number and _are_one(own, seat) for other, seat in seats.values()):
                seats[left[0]] = (number, own)

    def _found(self, photo: Halves) -> Iterator[tuple[SeatFound, str]]:
        """The players' boards, each with its likeliest colour, those first that are surest of theirs; "" for none."""
        maps, boards = self._boards_in(photo)
        taken: set[str] = set()
        for seat in sorted(
            pair_boards(maps, boards, self._sizes), key=lambda own: -max(own.likely.values(), default=0.0)
        ):
            free = {colour: share for colour, share in seat.likely.items() if colour not in taken}
            colour = max(free, key=lambda own: free[own]) if free else ""
            taken.add(colour)
            yield seat, colour

    def _boards_in(self, photo: Halves) -> tuple[list[Found], list[Found]]:
        """The maps and the resource boards in a photo: by their features, and each near the others."""
        a_map, a_board = (next(iter(own.values())) for own in (self.maps, self.resources))
        maps = self._maps.find(photo, alike="" in self.maps)
        boards = self._resources.find(photo, alike=True, taken=self._corners(maps, []))
        for own in find_unpaired_maps(maps, boards, self._sizes):
            near = self._resources.near(photo, own.lie, a_map, self._corners(maps, boards), ALIKE_LEAST[RESOURCES])
            boards += [near] if near else []
        for own in find_unpaired_resources(maps, boards, self._sizes):
            near = self._maps.near(photo, own.lie, a_board, self._corners(maps, boards), ALIKE_LEAST[MAP])
            maps += [near] if near else []
        return maps, boards

    def _corners(self, maps: Sequence[Found], boards: Sequence[Found]) -> list[Floats]:
        """(4, 2) corners in the photo of boards that were found."""
        return [
            own.lie.to_photo(np.asarray(CORNERS * self._sizes[what]))
            for what, found in ((MAP, maps), (RESOURCES, boards))
            for own in found
        ]

    def _grid(self, colour: str) -> Grid:
        terrain = self.components.terrain(colour)
        return Grid(terrain.rows, terrain.columns, self.layout.map.first, self.layout.map.square)

    def _squares(self, photo: Halves, seat: SeatFound, colour: str, likely: float) -> Iterator[SpotReading]:
        grid = self._grid(colour)
        said = classify_map(photo, seat.map.lie, self._maps.board(colour), grid, self.net)
        found = find_pieces(said, self.shapes)
        names, doubted = _names(found), self._by_letter(photo, seat, grid, said, found)
        for (row, col), piece in sorted(found.owner.items()):
            if said.seen[row, col]:
                outline = seat.map.lie.to_photo(grid.corners[row, col])
                others = doubted.get(piece, {})
                sure = (
                    min(calibrate_probability(_told(piece), piece.probability, self.scalings), 1 - sum(others.values()))
                    * likely
                )
                yield _square(f"map.{colour}.{row}.{col}", (row, col), piece, found, names, others, outline, sure)

    def _by_letter(
        self, photo: Halves, seat: SeatFound, grid: Grid, said: Sighted, found: Pieces
    ) -> dict[Piece, dict[str, float]]:
        """The types of building that pieces may be by their letters, and were not read as."""
        squares = [(int(row), int(col)) for row, col in np.argwhere(said.seen)]
        likely = classify_letters(photo, seat.map.lie, grid, squares, self.letters)
        return find_letter_doubts(found, dict(zip(squares, likely, strict=True)))

    def _named(
        self, photo: Halves, seat: SeatFound, colour: str, squares: Sequence[SpotReading]
    ) -> Sequence[SpotReading]:
        """A map's squares with names for the monuments that were shown."""
        if not self._monuments or not any(str(own.value).startswith(UNNAMED) for own in squares):
            return squares
        return self._monuments.named(squares, *rectify_map(photo, seat.map.lie, *self._map_of(colour)))

    def _map_of(self, colour: str) -> tuple[EnrolledBoard, Grid]:
        return self._maps.board(colour), self._grid(colour)

    def _tracks(self, photo: Halves, seat: SeatFound, colour: str, player: float) -> Iterator[SpotReading]:
        if seat.resources is None:
            return
        board = self._resources.board(colour)
        read = locate_markers(photo, seat.resources.lie, board, self.layout.resources)
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
                    calibrate_probability("marker", float(likely[best]), self.scalings) * player,
                    tuple(other for other in others if other[1] > LIKELY_LEAST),
                    outline,
                )


def _keep(seats: dict[str, tuple[int, _Seat]], number: int, seat: _Seat) -> None:
    """Of a player whom several photos show, the surest one is kept."""
    if seat.colour not in seats or seats[seat.colour][1].surety < seat.surety:
        seats[seat.colour] = (number, seat)


def _are_one(one: _Seat, other: _Seat) -> bool:
    """Whether two photos show one map: most of the squares that something lies on hold the same."""
    kinds = [
        {
            own.id.split(".", 2)[2]: str(own.value).partition("#")[0]
            for own in seat.readings
            if own.id.startswith("map.")
        }
        for seat in (one, other)
    ]
    laid = [(kinds[0][at], kinds[1][at]) for at in kinds[0].keys() & kinds[1].keys()]
    laid = [pair for pair in laid if pair != (NOTHING, NOTHING)]
    return bool(laid) and float(np.mean([here == there for here, there in laid])) > SAME_LEAST


def list_shapes(known: Components) -> dict[str, Sequence[Squares] | None]:
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
        for own in list_orientations(shape) if mirrored else list_quarter_turns(shape):
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
        raise EnrolmentError("game_not_enrolled", text, {"picture": what})
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
    by_letter: Mapping[str, float],
    outline: Floats,
    sure: float,
) -> SpotReading:
    most = Counter(own.name for own in names)
    shares: dict[Value, float] = {}
    for other in found.others.get(square, ()):
        if other.squares != piece.squares or other.kind != piece.kind:
            value = _called(other, square, found, names, most)
            shares[value] = shares.get(value, 0.0) + other.probability
    for kind, share in by_letter.items():
        value = f"{kind}#{most[kind] + 1}"
        shares[value] = max(share, shares.get(value, 0.0))
    shares.pop(names[piece], None)
    ranked = sorted(shares.items(), key=lambda own: -own[1])[:ALTERNATIVES]
    return SpotReading(name, names[piece], sure, tuple(own for own in ranked if own[1] > LIKELY_LEAST), outline)


def _told(piece: Piece) -> Told:
    return "nothing" if piece.name == NOTHING else "road" if piece.name in ROADS else "piece"


def _called(
    other: Piece, square: tuple[int, int], found: Pieces, names: Mapping[Piece, str], most: Mapping[str, int]
) -> str:
    """The value of a square if another piece lies there: that of the piece of its kind with most squares in common."""
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
    return np.asarray(track.middles[space] + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))


__all__ = ["Sighted", "WondersReader", "build_reader", "list_shapes"]
