"""Reads tables of World Wonders: the players' maps and resource boards in photos, square by square."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from scoring.calibration import load_platt_scalings
from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.components import ComponentsError
from scoring.spots.game import Value
from scoring.world_wonders.components import Components, Side, load_components
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
from vision.world_wonders.calibration import Kind, calibrate_probability
from vision.world_wonders.layout import RESOURCES, RESOURCES_B, SIDE_B, Grid, Layout, TrackLayout
from vision.world_wonders.letters import classify_letters, find_letter_doubts
from vision.world_wonders.markers import locate_markers
from vision.world_wonders.monument_enrolment import extract_monument_looks
from vision.world_wonders.monument_features import rectify_map
from vision.world_wonders.monuments import Monuments, list_monument_pieces
from vision.world_wonders.pieces import Piece, Pieces, find_pieces
from vision.world_wonders.pieces import Shape as Squares
from vision.world_wonders.squares import Sighted, classify_map

MAX_ALTERNATIVES = 4
"""At most this many other values of a spot are offered."""
MIN_ALTERNATIVE_PROBABILITY = 0.002
"""Other values of a spot that are less probable than this are not offered as alternatives."""
MIN_BOARD_LIKENESS = 0.6
"""The likeness of a board that is found at all: most of it may be covered."""
MIN_SAME_SHARE = 0.6
"""Maps that share more than this of the squares that something lies on are one: those of two players share fewer."""
MAP = "map"
MIN_ALIKE_SHARES = {MAP: 0.2, RESOURCES: 0.75}
"""How alike what is found by its place must be: a city covers most of a map, but markers little of a resource board."""


def build_reader(enrolment: GameEnrolment) -> WondersReader:
    """Build the reader of the tables of this copy.

    Raises EnrolmentError `game_not_enrolled`, ComponentsError `components_invalid`, `component_missing`.
    """
    return WondersReader(enrolment)


@dataclass(frozen=True, slots=True, eq=False)
class _Seat:
    """What was read of one player: the colour with its probability, the readings, and how sure they are all in all.

    `others` are the colours that it may be else, `map_name` the one under which the map was shown.
    """

    colour: str
    probability: float
    readings: tuple[SpotReading, ...]
    others: tuple[tuple[str, float], ...] = ()
    map_name: str = ""

    @property
    def surety(self) -> float:
        return self.probability * float(np.mean([reading.confidence for reading in self.readings]))


class WondersReader:
    """A reader of one copy of the game (`vision.printed.reading.TableReader`)."""

    def __init__(self, enrolment: GameEnrolment) -> None:
        self.components = load_components(enrolment.components)
        self.layout = read_layout(Layout, enrolment.components)
        facts = read_pictures(enrolment.components)
        self.tracks = self.layout.get_tracks(self.components.resources.side)
        self.maps = _load_maps(enrolment, facts, self.components.map.side)
        self.resources = _load_resources(enrolment, facts, self.components.resources.side)
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
        """Return how surely a photo shows a map board, 0 to 1."""
        boards = self._maps.find(photo.halves, alike="" in self.maps)
        return max((MIN_BOARD_LIKENESS + (1 - MIN_BOARD_LIKENESS) * board.lie.alike for board in boards), default=0.0)

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """Read what lies on the table; of a player whom several photos show, the surest one is read.

        Raises ReadingError `board_not_found` where no photo shows a map board.
        """
        started = time.perf_counter()
        seats: dict[str, tuple[int, _Seat]] = {}
        visible: set[int] = set()
        nameless: list[tuple[int, SeatFound]] = []
        for number, photo in enumerate(photos):
            for seat, colour in self._find_seats(photo.halves):
                visible.add(number)
                if colour:
                    _keep_surest(seats, number, self._read_seat(photo.halves, seat, colour, seat.likely[colour]))
                else:
                    nameless.append((number, seat))
        for number, seat in nameless:
            self._add_nameless_seat(seats, number, photos[number].halves, seat)
        if not seats:
            raise ReadingError("board_not_found", "No map board that was enrolled was found.")
        read_photos = [number for number in range(len(photos)) if number in visible]
        place = {number: at for at, number in enumerate(read_photos)}
        players = tuple(colour for colour in COLOURS if colour in seats)
        readings = [
            SpotReading(
                reading.id,
                reading.value,
                reading.confidence,
                reading.alternatives,
                reading.outline_px,
                place[seats[colour][0]],
            )
            for colour in players
            for reading in seats[colour][1].readings
        ]
        found = {colour: seat for colour, (_, seat) in seats.items()}
        is_told = "" not in self.maps and "" in self.resources
        renames = () if is_told else tuple(_list_renames(found))
        owners = {seat.map_name: colour for colour, seat in found.items() if seat.map_name not in ("", colour)}
        aside = tuple((photos[number], "board_not_found") for number in range(len(photos)) if number not in visible)
        spent = {"reading": (time.perf_counter() - started) * 1000}
        table_photos = tuple(photos[number] for number in read_photos)
        return TableReading(table_photos, players, tuple(readings), spent, aside, renames, owners)

    def sighted(self, photo: Photo) -> Iterator[tuple[str, Sighted]]:
        """Yield the net's logits of each map in a photo, with its player's colour."""
        for seat, colour in self._find_seats(photo.halves):
            if colour:
                yield (
                    colour,
                    classify_map(photo.halves, seat.map.lie, *self._get_map(seat.map_name or colour), self.net),
                )

    def maps_in(self, photo: Photo) -> Iterator[tuple[BoardLie, Grid, str]]:
        """Yield where maps lie in a photo, their squares, and their players' colours."""
        for seat, colour in self._find_seats(photo.halves):
            if colour:
                yield seat.map.lie, self._build_grid(seat.map_name or colour), colour

    def taught(self, photo: Photo, spots: Sequence[SpotReading]) -> Mapping[str, Sequence[Image]]:
        """Return what monuments look like that a reading names; it fulfils `vision.printed.reading.TaughtReader`."""
        return extract_monument_looks(
            photo, spots, self.components.monuments, lambda colour: self._find_map(photo, spots, colour)
        )

    def list_named(self, spots: Sequence[SpotReading]) -> tuple[str, ...]:
        """Return the monuments that squares surely hold; it fulfils `vision.printed.reading.TaughtReader`."""
        sure = [spot for spot in spots if spot.id.startswith(f"{MAP}.") and spot.confidence >= CONFIDENCE_SURE]
        return tuple(dict.fromkeys(name for name, _ in list_monument_pieces(sure, self.components.monuments)))

    def _read_seat(self, photo: Halves, seat: SeatFound, colour: str, likely: float) -> _Seat:
        player = seat.map.likely.get(seat.map_name, 1.0)  # whose boards they are is a doubt of its own
        squares = self._name_monuments(photo, seat, colour, [*self._read_squares(photo, seat, colour, player)])
        readings = (*squares, *self._read_tracks(photo, seat, colour, player))
        others = tuple((other, share) for other, share in seat.likely.items() if other != colour)
        return _Seat(colour, likely, readings, others, seat.map_name)

    def _add_nameless_seat(
        self, seats: dict[str, tuple[int, _Seat]], number: int, photo: Halves, nameless_seat: SeatFound
    ) -> None:
        """Add a map whose player does not show: one of those left, in doubt but where only one is.

        A map that another photo shows with its player's colour is passed over.
        """
        left = [
            colour for colour in COLOURS if colour not in seats and ("" in self.resources or colour in self.resources)
        ]
        if left:
            likely = float(np.prod([seat.probability for _, seat in seats.values()])) / len(left)
            candidate = self._read_seat(photo, nameless_seat, left[0], likely)
            candidate = replace(candidate, others=tuple((colour, likely) for colour in left[1:]))
            if not any(other != number and _are_same_map(candidate, seat) for other, seat in seats.values()):
                seats[left[0]] = (number, candidate)

    def _find_seats(self, photo: Halves) -> Iterator[tuple[SeatFound, str]]:
        """The players' boards, each with its likeliest colour, those first that are surest of theirs; "" for none."""
        maps, boards = self._boards_in(photo)
        assigned: set[str] = set()
        map_names: set[str] = set()
        for seat in sorted(
            pair_boards(maps, boards, self._sizes), key=lambda pair: -max(pair.likely.values(), default=0.0)
        ):
            free = {colour: share for colour, share in seat.likely.items() if colour not in assigned}
            colour = max(free, key=lambda name: free[name]) if free else ""
            assigned.add(colour)
            free_maps = {name: share for name, share in seat.map.likely.items() if name not in map_names}
            map_name = max(free_maps, key=lambda name: free_maps[name], default="")
            map_names.add(map_name)
            yield replace(seat, map_name=map_name), colour

    def _boards_in(self, photo: Halves) -> tuple[list[Found], list[Found]]:
        """The maps and the resource boards in a photo: by their features, and each near the others."""
        a_map, a_board = (next(iter(kind_boards.values())) for kind_boards in (self.maps, self.resources))
        maps = self._maps.find(photo, alike="" in self.maps)
        boards = self._resources.find(photo, alike=True, taken_corners=self._list_corners(maps, []))
        for unpaired in find_unpaired_maps(maps, boards, self._sizes):
            near = self._resources.near(
                photo, unpaired.lie, a_map, self._list_corners(maps, boards), MIN_ALIKE_SHARES[RESOURCES]
            )
            boards += [near] if near else []
        for unpaired in find_unpaired_resources(maps, boards, self._sizes):
            near = self._maps.near(
                photo, unpaired.lie, a_board, self._list_corners(maps, boards), MIN_ALIKE_SHARES[MAP]
            )
            maps += [near] if near else []
        return maps, boards

    def _list_corners(self, maps: Sequence[Found], boards: Sequence[Found]) -> list[Floats]:
        """(4, 2) corners in the photo of boards that were found."""
        return [
            board.lie.to_photo(np.asarray(CORNERS * self._sizes[what]))
            for what, kind_boards in ((MAP, maps), (RESOURCES, boards))
            for board in kind_boards
        ]

    def _build_grid(self, colour: str) -> Grid:
        terrain = self.components.terrain(colour)
        lie = self.layout.get_map(self.components.map.side, colour)
        return Grid(terrain.rows, terrain.columns, lie.first, lie.square)

    def _read_squares(self, photo: Halves, seat: SeatFound, colour: str, likely: float) -> Iterator[SpotReading]:
        board, grid = self._get_map(seat.map_name or colour)
        map_logits = classify_map(photo, seat.map.lie, board, grid, self.net)
        pieces = find_pieces(map_logits, self.shapes)
        names, doubted = _number_pieces(pieces), self._find_letter_doubts(photo, seat, grid, map_logits, pieces)
        for (row, col), piece in sorted(pieces.owner.items()):
            if map_logits.seen[row, col]:
                outline = seat.map.lie.to_photo(grid.corners[row, col])
                others = doubted.get(piece, {})
                sure = (
                    min(
                        calibrate_probability(_classify_piece(piece), piece.probability, self.scalings),
                        1 - sum(others.values()),
                    )
                    * likely
                )
                yield _build_square_reading(
                    f"map.{colour}.{row}.{col}", (row, col), piece, pieces, names, others, outline, sure
                )

    def _find_letter_doubts(
        self, photo: Halves, seat: SeatFound, grid: Grid, map_logits: Sighted, pieces: Pieces
    ) -> dict[Piece, dict[str, float]]:
        """The types of building that pieces may be by their letters, and were not read as."""
        squares = [(int(row), int(col)) for row, col in np.argwhere(map_logits.seen)]
        likely = classify_letters(photo, seat.map.lie, grid, squares, self.letters)
        return find_letter_doubts(pieces, dict(zip(squares, likely, strict=True)))

    def _name_monuments(
        self, photo: Halves, seat: SeatFound, colour: str, squares: Sequence[SpotReading]
    ) -> Sequence[SpotReading]:
        """A map's squares with names for the monuments that were shown."""
        if not self._monuments or not any(str(reading.value).startswith((UNNAMED, TOWER)) for reading in squares):
            return squares
        board, grid = self._get_map(seat.map_name or colour)
        return self._monuments.named(squares, *rectify_map(photo, seat.map.lie, board, grid))

    def _find_map(self, photo: Photo, spots: Sequence[SpotReading], colour: str) -> tuple[EnrolledBoard, Grid]:
        """The map on which a player's squares lie in a photo."""
        name = colour
        if "" not in self.maps:
            corners = [spot.outline_px for spot in spots if spot.id.startswith(f"{MAP}.{colour}.")]
            middle = np.concatenate(corners).mean(axis=0, keepdims=True)
            for seat, _ in self._find_seats(photo.halves):
                at = seat.map.lie.to_mm(middle)[0]
                if np.all((at >= 0) & (at <= self._sizes[MAP])):
                    name = seat.map_name
        return self._get_map(name)

    def _get_map(self, colour: str) -> tuple[EnrolledBoard, Grid]:
        return self._maps.board(colour), self._build_grid(colour)

    def _read_tracks(self, photo: Halves, seat: SeatFound, colour: str, player: float) -> Iterator[SpotReading]:
        if seat.resources is None:
            return
        board = self._resources.board(colour)
        read = locate_markers(photo, seat.resources.lie, board, self.tracks)
        for name in TRACKS:
            if name in read:
                likely = read[name].probabilities
                order = np.argsort(-likely)
                others = [(int(space), float(likely[space])) for space in order[1 : 1 + MAX_ALTERNATIVES]]
                best = int(order[0])
                outline = seat.resources.lie.to_photo(_compute_space_corners(self.tracks[name], best))
                yield SpotReading(
                    f"resource.{colour}.{name}",
                    best,
                    calibrate_probability("marker", float(likely[best]), self.scalings) * player,
                    tuple(other for other in others if other[1] > MIN_ALTERNATIVE_PROBABILITY),
                    outline,
                )


def _list_renames(seats: Mapping[str, _Seat]) -> Iterator[tuple[dict[str, str], float]]:
    """What other colours the players may have: one that nobody has, or that of another, who then has theirs."""
    for colour, seat in seats.items():
        for other, likely in seat.others:
            if other not in seats:
                yield {colour: other}, likely
            elif colour < other or colour not in dict(seats[other].others):
                yield {colour: other, other: colour}, likely


def _keep_surest(seats: dict[str, tuple[int, _Seat]], number: int, seat: _Seat) -> None:
    """Of a player whom several photos show, the surest one is kept."""
    if seat.colour not in seats or seats[seat.colour][1].surety < seat.surety:
        seats[seat.colour] = (number, seat)


def _are_same_map(one: _Seat, other: _Seat) -> bool:
    """Whether two photos show one map: most of the squares that something lies on hold the same."""
    kinds = [
        {
            reading.id.split(".", 2)[2]: str(reading.value).partition("#")[0]
            for reading in seat.readings
            if reading.id.startswith("map.")
        }
        for seat in (one, other)
    ]
    occupied = [(kinds[0][at], kinds[1][at]) for at in kinds[0].keys() & kinds[1].keys()]
    occupied = [pair for pair in occupied if pair != (NOTHING, NOTHING)]
    return bool(occupied) and float(np.mean([here == there for here, there in occupied])) > MIN_SAME_SHARE


def list_shapes(components: Components) -> dict[str, Sequence[Squares] | None]:
    """List the squares of every kind of piece in all turns, from (0, 0), None where the components do not define
    them."""
    long, short = components.roads.long, sorted(set(components.roads.short_set))
    bars = {length: _list_turns([{(0, col): "#" for col in range(length)}], False) for length in (*short, long)}
    buildings = None
    if components.buildings.shapes is not None:
        buildings = _list_turns([building.squares for building in components.buildings.shapes], False)
    parts = [monument.parts for monument in components.monuments.values()]
    monuments = None
    if all(monument_parts is not None for monument_parts in parts):
        monuments = _list_turns([part for monument_parts in parts for part in monument_parts or ()], True)
    tower = [((0, 0),)] if components.towers.squares in (1, None) else None
    return {
        "road": [shape for bar_shapes in bars.values() for shape in bar_shapes],
        "bridge": bars[long],
        **dict.fromkeys(BUILDINGS, buildings),
        TOWER: tower,
        UNNAMED: monuments,
    }


def _list_turns(shapes: Sequence[Shape], mirrored: bool) -> list[Squares]:
    """All turns of some shapes, without repeats; each begins at the first square of its first row."""
    distinct: dict[Squares, None] = {}
    for shape in shapes:
        for turn in list_orientations(shape) if mirrored else list_quarter_turns(shape):
            top, left = min(turn)
            distinct[tuple(sorted((row - top, col - left) for row, col in turn))] = None
    return list(distinct)


def _load_maps(
    enrolment: GameEnrolment, facts: Mapping[str, PictureFacts], side: Side | None
) -> dict[str, EnrolledBoard]:
    """The empty maps of the side in use: by colour on side B, by "" on side A; what was shown where no side is told."""
    boards = _load_boards(enrolment, facts, MAP, {"": MAP} | {colour: f"{MAP}-{colour}" for colour in COLOURS})
    coloured = {colour: board for colour, board in boards.items() if colour}
    if side == SIDE_B and coloured:
        return coloured
    return {"": boards[""]} if "" in boards else coloured


def _load_resources(
    enrolment: GameEnrolment, facts: Mapping[str, PictureFacts], side: Side | None
) -> dict[str, EnrolledBoard]:
    """The empty resource boards of the side in use by colour, by "" where one is alike for all."""
    if side == SIDE_B and RESOURCES_B in enrolment.pictures:
        return _load_boards(enrolment, facts, RESOURCES, {"": RESOURCES_B})
    names = {"": RESOURCES} | {colour: f"{RESOURCES}-{colour}" for colour in COLOURS}
    boards = _load_boards(enrolment, facts, RESOURCES, names)
    return {colour: board for colour, board in boards.items() if colour} or boards


def _load_boards(
    enrolment: GameEnrolment, facts: Mapping[str, PictureFacts], what: str, names: Mapping[str, str]
) -> dict[str, EnrolledBoard]:
    """The empty boards that were shown of those with some pictures' names; raises EnrolmentError where none was."""
    boards = {}
    for colour, name in names.items():
        if name in enrolment.pictures:
            if name not in facts:
                key = f"pictures.{name}.size_mm"
                raise ComponentsError("component_missing", f"{key} is not known: measure the board.", key=key)
            boards[colour] = EnrolledBoard(enrolment.pictures[name], facts[name].size_mm)
    if not boards:
        text = f"No picture of the empty boards called {what} or {what}-COLOUR was enrolled."
        raise EnrolmentError("game_not_enrolled", text, {"picture": what})
    return boards


def _number_pieces(pieces: Pieces) -> dict[Piece, str]:
    """Each piece's value: pieces of a kind are numbered as their first squares come, row by row."""
    counts: Counter[str] = Counter()
    names = {}
    for piece in sorted(pieces.pieces, key=lambda item: min(item.squares)):
        counts[piece.name] += piece.name != NOTHING
        names[piece] = NOTHING if piece.name == NOTHING else f"{piece.name}#{counts[piece.name]}"
    return names


def _build_square_reading(
    name: str,
    square: tuple[int, int],
    piece: Piece,
    pieces: Pieces,
    names: Mapping[Piece, str],
    by_letter: Mapping[str, float],
    outline: Floats,
    sure: float,
) -> SpotReading:
    most = Counter(other_piece.name for other_piece in names)
    shares: dict[Value, float] = {}
    for other in pieces.others.get(square, ()):
        if other.squares != piece.squares or other.kind != piece.kind:
            value = _name_alternative(other, square, pieces, names, most)
            shares[value] = shares.get(value, 0.0) + other.probability
    for kind, share in by_letter.items():
        value = f"{kind}#{most[kind] + 1}"
        shares[value] = max(share, shares.get(value, 0.0))
    shares.pop(names[piece], None)
    ranked = sorted(shares.items(), key=lambda pair: -pair[1])[:MAX_ALTERNATIVES]
    return SpotReading(
        name, names[piece], sure, tuple(pair for pair in ranked if pair[1] > MIN_ALTERNATIVE_PROBABILITY), outline
    )


def _classify_piece(piece: Piece) -> Kind:
    return "nothing" if piece.name == NOTHING else "road" if piece.name in ROADS else "piece"


def _name_alternative(
    other: Piece, square: tuple[int, int], pieces: Pieces, names: Mapping[Piece, str], most: Mapping[str, int]
) -> str:
    """The value of a square if another piece lies there: that of the piece of its kind with most squares in common."""
    if other.name == NOTHING:
        return NOTHING
    shared = Counter(
        pieces.owner[covered] for covered in other.squares if covered in pieces.owner and covered != square
    )
    for piece, _ in shared.most_common():
        if piece.kind == other.kind and piece is not pieces.owner[square]:
            return names[piece]
    return f"{other.name}#{most[other.name] + 1}"


def _compute_space_corners(track: TrackLayout, space: int) -> Floats:
    """(4, 2) millimetres: the corners of a track's space."""
    half = float(np.linalg.norm(track.step)) / 2
    return np.asarray(track.middles[space] + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))


__all__ = ["Sighted", "WondersReader", "build_reader", "list_shapes"]
