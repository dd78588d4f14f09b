"""Reader of World Wonders tables: the players' maps and resource boards in photos, square by square."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np

from scoring.calibration import apply_scaling, load_platt_scalings
from scoring.confidence import CONFIDENCE_SURE
from scoring.spots.components import ComponentsError
from scoring.spots.game import Value
from scoring.world_wonders.components import Components, Side, load_components
from scoring.world_wonders.kinds import BUILDINGS, COLOURS, NOTHING, ROADS, TOWER, TRACKS, UNNAMED
from scoring.world_wonders.shapes import Shape, list_orientations, list_quarter_turns
from vision.arrays import EVEN_ODDS, Floats, Image, compute_softmax
from vision.enrolment.games import GameEnrolment
from vision.errors import EnrolmentError, ReadingError
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.flat_boards.layout import PictureFacts, read_layout, read_pictures
from vision.flat_boards.reading import (
    MAX_ALTERNATIVES,
    MIN_ALTERNATIVE_PROBABILITY,
    MIN_PROBABILITY,
    BoardPlace,
    SpotReading,
    TableReading,
)
from vision.photo.crops import CORNERS
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.runtime.onnx import MODELS, Net
from vision.world_wonders.boards import (
    APART_PROBABILITY,
    MAX_DISTANCE_SHARE,
    MAX_PLAYERS,
    MISFIT_VARIANCE,
    Boards,
    Found,
    SeatFound,
    find_unpaired_maps,
    find_unpaired_resources,
    pair_boards,
)
from vision.world_wonders.frames import build_framed_boards
from vision.world_wonders.layout import RESOURCES, RESOURCES_B, SIDE_B, Grid, Layout, TrackLayout
from vision.world_wonders.letters import classify_letters, find_letter_doubts
from vision.world_wonders.markers import locate_markers
from vision.world_wonders.monument_features import Look, extract_look, split_views
from vision.world_wonders.monuments import (
    MapMonuments,
    Monuments,
    NarrowPieces,
    extract_monument_looks,
    list_monument_pieces,
    weigh_towers,
)
from vision.world_wonders.pieces import Piece, Pieces, find_pieces, load_piece_costs
from vision.world_wonders.pieces import Shape as Squares
from vision.world_wonders.squares import KINDS, Sighted, build_planes, classify_map, classify_planes

Kind = Literal["nothing", "road", "building", "standing", "marker"]
"""The kind of reading whose probability is calibrated: an empty square, a road or bridge, a building, a tower or
monument, a marker."""
MIN_BOARD_LIKENESS = 0.6
"""Likeness of any board that is found at all, since most of it may be covered. A guess."""
MIN_SAME_SHARE = EVEN_ODDS
"""Share of occupied squares with equal contents above which two maps count as one; two players' maps share fewer."""
FAR_DISTANCE_SHARE = 2.5
"""Maximum distance of a player's boards from another's, relative to a map's longer side. A guess."""
MAX_STANDING = MAX_PLAYERS + MAX_PLAYERS
"""Maximum number of narrow pieces of a photo that are compared with each other: two a player. Bounds time."""
MIN_TOWER_PROBABILITY = 0.05
"""Minimum probability of a tower on a square that is compared with towers; parts of wide monuments have less. A
guess."""
MAP = "map"
MIN_ALIKE_SHARES = {MAP: 0.2, RESOURCES: 0.75}
"""Minimum similarity of a board found by its place: a city covers most of a map, but markers little of a resource
board. A guess."""


def build_reader(enrolment: GameEnrolment) -> WondersReader:
    """Build the reader of the tables of this copy.

    Raises EnrolmentError `game_not_enrolled`, ComponentsError `components_invalid`, `component_missing`.
    """
    return WondersReader(enrolment)


@dataclass(frozen=True, slots=True, eq=False)
class _Seat:
    """The reading of one player: the colour with its probability, the readings, and their overall confidence.

    `others` are the alternative colours, `map_name` the colour under which the map was enrolled, `places` the boards.
    """

    colour: str
    probability: float
    readings: tuple[SpotReading, ...]
    others: tuple[tuple[str, float], ...] = ()
    map_name: str = ""
    places: tuple[BoardPlace, ...] = ()

    @property
    def surety(self) -> float:
        return self.probability * float(np.mean([reading.confidence for reading in self.readings]))


@dataclass(frozen=True, eq=False)
class _MapView:
    """A map in a photo: its squares, its views (`split_views`), its logits, and its comparer of monuments."""

    grid: Grid
    pictures: tuple[Image, Image]
    sighted: Sighted
    monuments: MapMonuments

    def list_standing(self) -> Iterator[tuple[int, int]]:
        """Yield the squares that hold a tower or monument, and may hold a tower."""
        likely = compute_softmax(self.sighted.kinds, axis=2)
        tower, monument = likely[..., KINDS.index(TOWER)], likely[..., KINDS.index(UNNAMED)]
        is_standing = (tower + monument > EVEN_ODDS) & (tower > MIN_TOWER_PROBABILITY) & self.sighted.seen
        yield from ((int(row), int(col)) for row, col in np.argwhere(is_standing))

    def tower_odds(self, square: tuple[int, int]) -> float:
        """Return the nats in favour of a tower against a monument on a square."""
        logits = self.sighted.kinds[square]
        return float(logits[KINDS.index(TOWER)] - logits[KINDS.index(UNNAMED)])

    def extract_look(self, square: tuple[int, int]) -> Look:
        """Return the look of a narrow piece on a square."""
        return Look(extract_look(*self.pictures, [square]))


class WondersReader:
    """A reader of one copy of the game (`vision.flat_boards.reading.TableReader`)."""

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
        self.piece_costs = load_piece_costs()
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
        """The squares of every kind of piece in all its turns, None if unknown."""
        return list_shapes(self.components)

    def likeness(self, photo: Photo) -> float:
        """Return how surely a photo shows a map board, 0 to 1."""
        boards = self._maps.find(photo.halves, alike="" in self.maps)
        return max((MIN_BOARD_LIKENESS + (1 - MIN_BOARD_LIKENESS) * board.lie.alike for board in boards), default=0.0)

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """Read the table; a player in several photos is read from the most certain one.

        Raises ReadingError `board_not_found` if no photo shows a map board.
        """
        started = time.perf_counter()
        seats: dict[str, tuple[int, _Seat]] = {}
        visible: set[int] = set()
        nameless: list[tuple[int, SeatFound]] = []
        alone: dict[str, tuple[int, _Seat]] = {}
        for number, photo in enumerate(photos):
            boards = self._boards_in(photo.halves)
            for lone in self._read_lone_resources(photo.halves, *boards):
                _keep_surest(alone, number, lone)
            pairs = [*self._pair_seats(*boards)]
            if pairs:
                visible.add(number)
            nameless += [(number, seat) for seat, colour in pairs if not colour]
            named = [(seat, colour) for seat, colour in pairs if colour]
            for (seat, colour), view in zip(named, self._view_maps(photo.halves, named), strict=True):
                _keep_surest(seats, number, self._read_seat(photo.halves, seat, colour, seat.likely[colour], view))
        for number, seat in nameless:
            self._add_nameless_seat(seats, number, photos[number].halves, seat, alone)
        if not seats:
            raise ReadingError("board_not_found", "No map board that was enrolled was found.")
        parts = [(colour, number, seat) for colour, (number, seat) in seats.items()]
        for colour, (number, lone) in alone.items():
            if colour not in seats or not any(_is_track(reading) for reading in seats[colour][1].readings):
                seats.setdefault(colour, (number, lone))
                parts.append((colour, number, lone))
                visible.add(number)
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
                place[number],
            )
            for player in players
            for colour, number, seat in parts
            if colour == player
            for reading in seat.readings
        ]
        places = [
            replace(board, photo=place[number])
            for player in players
            for colour, number, seat in parts
            if colour == player
            for board in seat.places
        ]
        found = {colour: seat for colour, (_, seat) in seats.items()}
        is_told = "" not in self.maps and "" in self.resources
        renames = () if is_told else tuple(_list_renames(found))
        owners = {seat.map_name: colour for colour, seat in found.items() if seat.map_name not in ("", colour)}
        aside = tuple((photos[number], "board_not_found") for number in range(len(photos)) if number not in visible)
        spent = {"reading": (time.perf_counter() - started) * 1000}
        table_photos = tuple(photos[number] for number in read_photos)
        return TableReading(table_photos, players, tuple(readings), spent, aside, renames, owners, places=tuple(places))

    def sighted(self, photo: Photo) -> Iterator[tuple[str, Sighted]]:
        """Yield the net's logits of each map in a photo, with its player's colour."""
        for seat, colour in self._find_seats(photo.halves):
            if colour:
                yield (
                    colour,
                    classify_map(photo.halves, seat.map.lie, *self._get_map(seat.map_name or colour), self.net),
                )

    def maps_in(self, photo: Photo) -> Iterator[tuple[BoardLie, Grid, str]]:
        """Yield the pose of each map in a photo, its squares, and its player's colour."""
        for seat, colour in self._find_seats(photo.halves):
            if colour:
                yield seat.map.lie, self._build_grid(seat.map_name or colour), colour

    def tracks_in(self, photo: Photo) -> Iterator[tuple[str, Mapping[str, Floats]]]:
        """Yield the markers' places on the resource boards in a photo, with their players' colours."""
        for seat, colour in self._find_seats(photo.halves):
            if colour and seat.resources is not None:
                board = self._resources.board(colour)
                yield colour, locate_markers(photo.halves, seat.resources.lie, board, self.tracks)

    def taught(self, photo: Photo, spots: Sequence[SpotReading]) -> Mapping[str, Sequence[Image]]:
        """Return the looks of the monuments named in a reading, for `vision.flat_boards.reading.TaughtReader`."""
        return extract_monument_looks(
            photo, spots, self.components.monuments, lambda colour: self._find_map(photo, spots, colour)
        )

    def list_named(self, spots: Sequence[SpotReading]) -> tuple[str, ...]:
        """Return the monuments on certain squares; implements `vision.flat_boards.reading.TaughtReader`."""
        sure = [spot for spot in spots if spot.id.startswith(f"{MAP}.") and spot.confidence >= CONFIDENCE_SURE]
        return tuple(dict.fromkeys(name for name, _ in list_monument_pieces(sure, self.components.monuments)))

    def _view_maps(self, photo: Halves, seats: Sequence[tuple[SeatFound, str]]) -> list[_MapView]:
        """Return the maps of the players with some colours; pieces that may be towers are compared among all of them.

        At most MAX_STANDING pieces are compared, the least certain ones are left out.
        """
        views, standing = [], []
        for seat, colour in seats:
            board, grid = self._get_map(seat.map_name or colour)
            planes, visible, views_of_map = build_planes(photo, seat.map.lie, board, grid)
            pictures, sighted = split_views(views_of_map), classify_planes(planes, visible, grid, self.net)
            view = _MapView(grid, pictures, sighted, self._monuments.look_at(*pictures))
            views.append(view)
            standing += [(view, square) for square in view.list_standing()]
        standing = sorted(standing, key=lambda place: -abs(place[0].tower_odds(place[1])))[:MAX_STANDING]
        odds = np.array([view.tower_odds(square) for view, square in standing])
        places = np.array([view.monuments.weigh_place([square]) for view, square in standing])
        pieces = NarrowPieces([view.extract_look(square) for view, square in standing], odds, places)
        nats = weigh_towers(
            pieces, self._monuments.narrow_parts, self._monuments.weights, self._monuments.tower_weights
        )
        for (view, square), more in zip(standing, nats, strict=True):
            view.sighted.kinds[square][[KINDS.index(TOWER), KINDS.index(UNNAMED)]] += more
        return views

    def _read_seat(self, photo: Halves, seat: SeatFound, colour: str, likely: float, view: _MapView) -> _Seat:
        player = seat.map.likely.get(seat.map_name, 1.0)  # the owner of the boards is a separate doubt
        tracks = () if seat.resources is None else self._read_tracks(photo, seat.resources, colour, player)
        readings = (*self._read_squares(photo, seat, colour, player, view), *tracks)
        places = [_place_board(self._maps.board(seat.map_name or colour), seat.map, colour)]
        if seat.resources is not None:
            places.append(_place_board(self._resources.board(colour), seat.resources, colour))
        return replace(
            _build_seat(colour, seat.likely, readings),
            probability=likely,
            map_name=seat.map_name,
            places=tuple(places),
        )

    def _add_nameless_seat(
        self,
        seats: dict[str, tuple[int, _Seat]],
        number: int,
        photo: Halves,
        nameless_seat: SeatFound,
        alone: Mapping[str, tuple[int, _Seat]],
    ) -> None:
        """Add a map of unknown player: one of the players left, in doubt unless there is only one.

        Players whose resource boards were seen `alone` are the most likely. A map that another photo shows with its
        player's colour is skipped.
        """
        left = [
            colour for colour in COLOURS if colour not in seats and ("" in self.resources or colour in self.resources)
        ]
        if left:
            sure = float(np.prod([seat.probability for _, seat in seats.values()]))
            candidates = [colour for colour in left if colour in alone]
            share = APART_PROBABILITY / len(candidates) if candidates else 0.0
            rest = (1 - APART_PROBABILITY if candidates else 1.0) / len(left)
            likely = {colour: sure * (rest + share * (colour in candidates)) for colour in [*candidates, *left]}
            first, *others = likely
            (view,) = self._view_maps(photo, [(nameless_seat, first)])
            candidate = self._read_seat(photo, nameless_seat, first, likely[first], view)
            candidate = replace(candidate, others=tuple((colour, likely[colour]) for colour in others))
            if not any(other != number and _are_same_map(candidate, seat) for other, seat in seats.values()):
                seats[first] = (number, candidate)

    def _find_seats(self, photo: Halves) -> Iterator[tuple[SeatFound, str]]:
        return self._pair_seats(*self._boards_in(photo))

    def _read_lone_resources(self, photo: Halves, maps: Sequence[Found], boards: Sequence[Found]) -> Iterator[_Seat]:
        """Yield the readings of resource boards of players whose maps are not beside them in a photo."""
        for board in find_unpaired_resources(maps, boards, self._sizes, apart=True):
            colour = max(board.likely, key=lambda name: board.likely[name], default="")
            if colour and (readings := tuple(self._read_tracks(photo, board, colour, 1.0))):
                places = (_place_board(self._resources.board(colour), board, colour),)
                yield replace(_build_seat(colour, board.likely, readings), places=places)

    def _pair_seats(self, maps: Sequence[Found], boards: Sequence[Found]) -> Iterator[tuple[SeatFound, str]]:
        """Yield the players' boards, each with its most likely colour, the most certain first; "" for none."""
        assigned: set[str] = set()
        map_names: set[str] = set()
        for seat in sorted(
            pair_boards(maps, boards, self._sizes, apart=True), key=lambda pair: -max(pair.likely.values(), default=0.0)
        ):
            free = {colour: share for colour, share in seat.likely.items() if colour not in assigned}
            colour = max(free, key=lambda name: free[name]) if free else ""
            assigned.add(colour)
            free_maps = {name: share for name, share in seat.map.likely.items() if name not in map_names}
            map_name = max(free_maps, key=lambda name: free_maps[name], default="")
            map_names.add(map_name)
            yield replace(seat, map_name=map_name), colour

    def _boards_in(self, photo: Halves) -> tuple[list[Found], list[Found]]:
        """Return the maps and the resource boards in a photo.

        They are found by their features, then each near the others; players' features may be too small for this, so
        anything on the table that resembles a resource board is added.
        """
        maps = self._maps.find(photo, alike="" in self.maps, is_tilted=True)
        boards = self._resources.find(photo, alike=True, taken_corners=self._list_corners(maps, []))
        for unpaired in find_unpaired_maps(maps, boards, self._sizes):
            near = self._find_resources(photo, unpaired, maps, boards, MAX_DISTANCE_SHARE)
            boards += [near] if near else []
        self._add_maps(photo, maps, boards)
        while maps and len(boards) < MAX_PLAYERS:
            far = self._find_resources(photo, maps[0], maps, boards, FAR_DISTANCE_SHARE)
            if far is None:
                break
            boards.append(far)
            self._add_maps(photo, maps, boards)
        self._add_tilted(photo, maps, boards)
        return maps, boards

    def _add_tilted(self, photo: Halves, maps: list[Found], boards: list[Found]) -> None:
        """Add boards seen from the side for players with one board missing."""
        if find_unpaired_maps(maps, boards, self._sizes):
            boards += self._resources.find_tilted(photo, True, self._list_corners(maps, boards))
        if find_unpaired_resources(maps, boards, self._sizes):
            maps += self._maps.find_tilted(photo, "" in self.maps, self._list_corners(maps, boards))

    def _find_resources(
        self, photo: Halves, beside: Found, maps: Sequence[Found], boards: Sequence[Found], reach: float
    ) -> Found | None:
        """Return a resource board within `reach` map sizes of a map."""
        a_map = next(iter(self.maps.values()))
        taken_corners = self._list_corners(maps, boards)
        return self._resources.near(photo, beside.lie, a_map, taken_corners, MIN_ALIKE_SHARES[RESOURCES], reach)

    def _add_maps(self, photo: Halves, maps: list[Found], boards: Sequence[Found]) -> None:
        """Add the maps beside resource boards without one."""
        a_board = next(iter(self.resources.values()))
        for unpaired in find_unpaired_resources(maps, boards, self._sizes):
            taken_corners = self._list_corners(maps, boards)
            near = self._maps.near(
                photo, unpaired.lie, a_board, taken_corners, MIN_ALIKE_SHARES[MAP], open_mm=self._list_fields()
            )
            maps += [near] if near else []

    def _list_corners(self, maps: Sequence[Found], boards: Sequence[Found]) -> list[Floats]:
        """Return the (4, 2) corners in the photo of the boards that were found."""
        return [
            board.lie.to_photo(np.asarray(CORNERS * self._sizes[what]))
            for what, kind_boards in ((MAP, maps), (RESOURCES, boards))
            for board in kind_boards
        ]

    def _list_fields(self) -> list[Floats]:
        """Return the squares (4, 2) in millimetres that a city may cover on some map: all but those with water on every
        map."""
        colour = next(iter(self.maps)) or COLOURS[0]
        grid, terrains = self._build_grid(colour), [self.components.terrain(name or colour) for name in self.maps]
        return [
            grid.corners[square]
            for square in np.ndindex(grid.rows, grid.cols)
            if not all(square in terrain and terrain.is_water(square) for terrain in terrains)
        ]

    def _build_grid(self, colour: str) -> Grid:
        terrain = self.components.terrain(colour)
        lie = self.layout.get_map(self.components.map.side, colour)
        return Grid(terrain.rows, terrain.columns, lie.first, lie.square)

    def _read_squares(
        self, photo: Halves, seat: SeatFound, colour: str, likely: float, view: _MapView
    ) -> Sequence[SpotReading]:
        grid, map_logits = view.grid, view.sighted
        monuments = view.monuments
        weigh_monument = monuments.weigh_place if self._monuments else None
        pieces = find_pieces(map_logits, self.shapes, weigh_monument, self.piece_costs)
        doubted = self._find_letter_doubts(photo, seat, grid, map_logits, pieces)
        namer = _PieceNamer(pieces, monuments if self._monuments else None)
        readings = []
        for (row, col), piece in sorted(pieces.owner.items()):
            if map_logits.seen[row, col]:
                others = doubted.get(piece, {})
                sure = apply_scaling(self.scalings, classify_kind(piece.name), piece.probability, MIN_PROBABILITY)
                reading = namer.build_reading(f"map.{colour}.{row}.{col}", (row, col), sure, others)
                outline = seat.map.lie.to_photo(grid.corners[row, col])
                readings.append(replace(reading, confidence=reading.confidence * likely, outline_px=outline))
        return monuments.name_readings(readings) if self._monuments else readings

    def _find_letter_doubts(
        self, photo: Halves, seat: SeatFound, grid: Grid, map_logits: Sighted, pieces: Pieces
    ) -> dict[Piece, dict[str, float]]:
        """Return the types of building that letters suggest for pieces read as something else."""
        squares = [(int(row), int(col)) for row, col in np.argwhere(map_logits.seen)]
        likely = classify_letters(photo, seat.map.lie, grid, squares, self.letters)
        return find_letter_doubts(pieces, dict(zip(squares, likely, strict=True)))

    def _find_map(self, photo: Photo, spots: Sequence[SpotReading], colour: str) -> tuple[EnrolledBoard, Grid]:
        """Return the map that holds a player's squares in a photo."""
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

    def _read_tracks(self, photo: Halves, resources: Found, colour: str, player: float) -> Iterator[SpotReading]:
        board = self._resources.board(colour)
        read = locate_markers(photo, resources.lie, board, self.tracks)
        for name in TRACKS:
            if name in read:
                likely = read[name]
                order = np.argsort(-likely)
                best = int(order[0])
                sure = apply_scaling(self.scalings, "marker", float(likely[best]), MIN_PROBABILITY)
                scale = (1 - sure) / max(1 - float(likely[best]), MIN_ALTERNATIVE_PROBABILITY)
                others = [(int(space), float(likely[space]) * scale) for space in order[1 : 1 + MAX_ALTERNATIVES]]
                outline = resources.lie.to_photo(_compute_space_corners(self.tracks[name], best))
                yield SpotReading(
                    f"resource.{colour}.{name}",
                    best,
                    sure * player,
                    tuple(other for other in others if other[1] > MIN_ALTERNATIVE_PROBABILITY),
                    outline,
                )


def _is_track(reading: SpotReading) -> bool:
    return reading.id.startswith("resource.")


def _build_seat(colour: str, likely: Mapping[str, float], readings: tuple[SpotReading, ...]) -> _Seat:
    """Build the reading of a player of one colour, with the other colours as alternatives."""
    others = tuple((other, share) for other, share in likely.items() if other != colour)
    return _Seat(colour, likely.get(colour, 1.0), readings, others)


def _place_board(board: EnrolledBoard, found: Found, owner: str) -> BoardPlace:
    """Return the place of a player's board in its photo."""
    return BoardPlace(board.name, owner, board.size_mm, found.lie.to_photo(board.corners))


def _list_renames(seats: Mapping[str, _Seat]) -> Iterator[tuple[dict[str, str], float]]:
    """Yield alternative colours of the players: an unused one, or that of another player, who then gets theirs."""
    for colour, seat in seats.items():
        for other, likely in seat.others:
            if other not in seats:
                yield {colour: other}, likely
            elif colour < other or colour not in dict(seats[other].others):
                yield {colour: other, other: colour}, likely


def _keep_surest(seats: dict[str, tuple[int, _Seat]], number: int, seat: _Seat) -> None:
    """Keep the most certain reading of a player in several photos."""
    if seat.colour not in seats or seats[seat.colour][1].surety < seat.surety:
        seats[seat.colour] = (number, seat)


def _are_same_map(one: _Seat, other: _Seat) -> bool:
    """Return whether two photos show one map: most of the occupied squares have equal contents."""
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
    """List the squares of every kind of piece in all turns, from (0, 0), None if the components do not define them."""
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
    """Return all turns of some shapes, without repeats; each begins at the first square of its first row."""
    distinct: dict[Squares, None] = {}
    for shape in shapes:
        for turn in list_orientations(shape) if mirrored else list_quarter_turns(shape):
            top, left = min(turn)
            distinct[tuple(sorted((row - top, col - left) for row, col in turn))] = None
    return list(distinct)


def _load_maps(
    enrolment: GameEnrolment, facts: Mapping[str, PictureFacts], side: Side | None
) -> dict[str, EnrolledBoard]:
    """Return the empty maps of the side in use, by colour on side B, by "" on side A; all enrolled ones if no side is
    set."""
    boards = _load_boards(enrolment, facts, MAP, {"": MAP} | {colour: f"{MAP}-{colour}" for colour in COLOURS})
    coloured = {colour: board for colour, board in boards.items() if colour}
    if side == SIDE_B and coloured:
        return coloured
    return {"": boards[""]} if "" in boards else coloured


def _load_resources(
    enrolment: GameEnrolment, facts: Mapping[str, PictureFacts], side: Side | None
) -> dict[str, EnrolledBoard]:
    """Return the empty resource boards of the side in use by colour, or by "" if one serves all.

    If one is enrolled, the others have other frames.
    """
    if side == SIDE_B and RESOURCES_B in enrolment.pictures:
        boards = _load_boards(enrolment, facts, RESOURCES, {"": RESOURCES_B})
    else:
        names = {"": RESOURCES} | {colour: f"{RESOURCES}-{colour}" for colour in COLOURS}
        boards = _load_boards(enrolment, facts, RESOURCES, names)
        boards = {colour: board for colour, board in boards.items() if colour} or boards
    if len(boards) > 1:
        return boards
    ((colour, board),) = boards.items()
    return build_framed_boards(board, math.sqrt(MISFIT_VARIANCE), colour) or boards


def _load_boards(
    enrolment: GameEnrolment, facts: Mapping[str, PictureFacts], what: str, names: Mapping[str, str]
) -> dict[str, EnrolledBoard]:
    """Return the enrolled empty boards among some picture names; raises EnrolmentError if there is none."""
    boards = {}
    for colour, name in names.items():
        if name in enrolment.pictures:
            if name not in facts:
                key = f"pictures.{name}.size_mm"
                raise ComponentsError("component_missing", f"{key} is not known: measure the board.", key=key)
            boards[colour] = EnrolledBoard(enrolment.pictures[name], facts[name].size_mm, name)
    if not boards:
        text = f"No picture of the empty boards called {what} or {what}-COLOUR was enrolled."
        raise EnrolmentError("game_not_enrolled", text, {"picture": what})
    return boards


class _PieceNamer:
    """The values of a map's pieces: those of a kind are numbered in row-major order of their first squares."""

    def __init__(self, pieces: Pieces, monuments: MapMonuments | None) -> None:
        self._pieces, self._monuments = pieces, monuments
        self._counts: Counter[str] = Counter()
        self._names: dict[Piece, str] = {}
        for piece in sorted(pieces.pieces, key=lambda item: min(item.squares)):
            self._counts[piece.name] += piece.name != NOTHING
            self._names[piece] = NOTHING if piece.name == NOTHING else f"{piece.name}#{self._counts[piece.name]}"

    def build_reading(
        self, name: str, square: tuple[int, int], sure: float, by_letter: Mapping[str, float]
    ) -> SpotReading:
        """Build the reading of a square whose piece has probability `sure`, with the alternatives by shapes and letter.

        The alternatives share the remaining probability.
        """
        piece = self._pieces.owner[square]
        scale = (1 - sure) / max(1 - piece.probability, MIN_ALTERNATIVE_PROBABILITY)
        shares: dict[Value, float] = {}
        for other in self._pieces.others.get(square, ()):
            if other.squares != piece.squares or other.kind != piece.kind:
                for value, share in self._name_alternative(other, square).items():
                    shares[value] = shares.get(value, 0.0) + share * other.probability * scale
        for kind, share in by_letter.items():
            value = f"{kind}#{self._counts[kind] + 1}"
            shares[value] = max(share, shares.get(value, 0.0))
        shares.pop(self._names[piece], None)
        ranked = sorted(shares.items(), key=lambda pair: -pair[1])[:MAX_ALTERNATIVES]
        likely_enough = tuple(pair for pair in ranked if pair[1] > MIN_ALTERNATIVE_PROBABILITY)
        confidence = min(sure, 1 - sum(by_letter.values()))
        return SpotReading(name, self._names[piece], confidence, likely_enough, np.zeros((0, 2)))

    def _name_alternative(self, other: Piece, square: tuple[int, int]) -> Mapping[Value, float]:
        """Return a square's value for another piece there: that of the piece of its kind with most squares in common.

        A monument gets the names of the enrolled ones, each with its probability by appearance.
        """
        if other.name == NOTHING:
            return {NOTHING: 1.0}
        value = self._join_piece(other, square)
        if other.name == UNNAMED and self._monuments is not None:
            return self._monuments.split_names(other.squares, value)
        return {value: 1.0}

    def _join_piece(self, other: Piece, square: tuple[int, int]) -> str:
        owner = self._pieces.owner
        shared = Counter(owner[covered] for covered in other.squares if covered in owner and covered != square)
        for piece, _ in shared.most_common():
            if piece.kind == other.kind and piece is not owner[square]:
                return self._names[piece]
        return f"{other.name}#{self._counts[other.name] + 1}"


def classify_kind(name: str) -> Kind:
    """Return the kind of reading of a square's contents, by their name without a number."""
    if name == NOTHING:
        return "nothing"
    return "road" if name in ROADS else "building" if name in BUILDINGS else "standing"


def _compute_space_corners(track: TrackLayout, space: int) -> Floats:
    """Return the corners (4, 2) of a track's space in millimetres."""
    half = float(np.linalg.norm(track.step)) / 2
    return np.asarray(track.middles[space] + half * np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]))


__all__ = ["Sighted", "WondersReader", "build_reader", "list_shapes"]
