"""A game as its photos show it: the boards, in chronological order, and what they leave in doubt."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from scoring.carcassonne.board.board import Board, Placement
from scoring.carcassonne.board.locate import BORDER_REACH_TILES
from scoring.carcassonne.doubt.kinds.base import lay_tile
from scoring.carcassonne.tiles.geometry import SIDES, Square
from scoring.connected_squares import list_neighbours
from vision.arrays import Floats
from vision.board.legal.problem import EDGE_KINDS
from vision.board.stand_ins import collect_edges, lay_stand_ins, place_on_stand_ins
from vision.doubt.wonder_pieces import stand_by_foot
from vision.errors import ReadingError
from vision.geometry.lattice_transform import turn_quad
from vision.photo.decoding import Photo
from vision.reading.board import build_board
from vision.reading.values import MeepleReading, Reading, TileAlternative, TileReading, TrackReading, WonderReading
from vision.sequence.piece_history import Assumed, PieceDoubt, Stay, rank_stays, trace_pieces
from vision.sequence.timeline import Timeline, list_tiled_squares

Tiles = Mapping[Square, Placement | None]
"""The tiles of a board by square, None for unknown ones."""


@dataclass(frozen=True, slots=True, eq=False)
class Sights:
    """The evidence from which the pieces of a game are traced: the reading of each photo, with its unknown tiles, the
    squares on which it shows a tile, and the colours in play, if known.
    """

    moments: tuple[Reading, ...]
    tiled: tuple[frozenset[Square], ...]
    colours: frozenset[str]

    def trace(self, game: Followed) -> Followed:
        """Return a game with the boards that follow from its tiles."""
        moments, tiles_by_photo, meeples_by_photo = self._stand_pieces(game)
        bare = [
            Board({square: tiles_by_photo[-1][square] for square in tiles if square in tiles_by_photo[-1]})
            for tiles in tiles_by_photo
        ]
        visible_squares = [frozenset(board.tiles) & tiled for tiled, board in zip(self.tiled, bare, strict=True)]
        traced = trace_pieces(bare, meeples_by_photo, visible_squares, self.colours, game.assumed)
        cleared = _count_cleared(traced.boards, moments[-1], visible_squares[-1])
        return replace(game, cleared=cleared, **traced._asdict())

    def _stand_pieces(self, game: Followed) -> tuple[list[Reading], list[Tiles], list[list[MeepleReading]]]:
        """Return the readings of the photos given the tiles of a game, their tiles, and their pieces on these."""
        lying = {tile.square: tile for tile in game.tiles if tile.square not in game.left_out}
        moments = [_fill_in(moment, lying) for moment in self.moments]
        tiles_by_photo: list[Tiles] = [build_board(moment).tiles for moment in moments]
        meeples_by_photo = [
            [_stand_on(tiles_by_photo[-1], tiles, piece) for piece in (*moment.meeples, *moment.possible_meeples)]
            for moment, tiles in zip(moments, tiles_by_photo, strict=True)
        ]
        return moments, tiles_by_photo, _move_to_new_tiles(meeples_by_photo, tiles_by_photo, self.tiled)

    def list_other_pieces(self, game: Followed, square: Square) -> list[Stay | None]:
        """Return what else may stand on a square on which photos show a piece: nothing, the piece on another part, or
        one of another colour in play; the likeliest first.
        """
        _, tiles_by_photo, meeples_by_photo = self._stand_pieces(game)
        readings = [m for meeples in meeples_by_photo for m in meeples if (m.row, m.col) == square]
        placement = tiles_by_photo[-1].get(square)
        if placement is None or not readings:
            return []
        best = max(readings, key=lambda reading: reading.confidence)
        colours = sorted(self.colours - {best.colour}) if best.segment is not None else []
        others = [Stay(colour, best.segment, best.kind) for colour in colours if best.segment is not None]
        parts = [part for part in range(len(placement.layout.segments)) if part != best.segment]
        others += [Stay(best.colour, part, best.kind) for part in parts]
        return rank_stays([*others, None], readings)


@dataclass(frozen=True, slots=True, eq=False)
class Followed:
    """The board of each photo in chronological order, in the lattice of the first one given.

    `tiles` are those of the last board. `doubts` are pieces that may be others, `unsure` squares whose tile may have
    been laid before another photo, and `possible_wonders` may lie where other tiles were read. `apart` are the errors
    of photos that show another board, `set_aside` photos that fit nowhere, with the reason, and `moved` the numbers of
    photos that came too early or too late. `cleared` is the number of pieces that the last photo should show, if
    it shows none. `views` are the homographies (3, 3) from lattice points (col, row) to the pixels of each photo.
    `first_square` is the square that people call row 1, column 1, if not the first board's. `takers` are the players
    who were seen to set a piece and take it back with the same tile, by its square. `tracks` are the score boards of
    the photos, None for a photo that shows none. `sights` trace the pieces again once a tile is another.
    `left_out` are squares that the boards lack though a tile was read there, and `assumed` are pieces, or None for
    none, where others were read that no moves explain. `photographed` is the probability that a photo shows a piece on
    a complete feature before it goes home. If the photo that came first is not among them, the game `lacks_first`:
    turns may be missing before it. `unread` are the names of photos that could not be read.
    """

    photos: tuple[Photo, ...]
    boards: tuple[Board, ...]
    tiles: tuple[TileReading, ...]
    doubts: tuple[PieceDoubt, ...]
    unsure: frozenset[Square]
    apart: tuple[ReadingError, ...] = ()
    possible_wonders: tuple[WonderReading, ...] = ()
    set_aside: tuple[tuple[Photo, ReadingError], ...] = ()
    moved: tuple[int, ...] = ()
    cleared: int = 0
    views: tuple[Floats, ...] = ()
    first_square: Square | None = None
    takers: Mapping[Square, str] = field(default_factory=dict)
    tracks: tuple[TrackReading | None, ...] = ()
    sights: Sights | None = None
    left_out: frozenset[Square] = frozenset()
    photographed: float = 0.0
    lacks_first: bool = False
    assumed: Assumed = field(default_factory=dict)
    unread: frozenset[str] = frozenset()

    def lay_by_neighbours(self, square: Square) -> Followed:
        """Return the game with the likeliest tile that fits its neighbours on a square, whatever was seen there."""
        unseen = (
            replace(reading, tile=None, turns=0, confidence=1.0, alternatives=())
            if reading.square == square
            else reading
            for reading in self.tiles
        )
        tiles = lay_stand_ins(tuple(unseen), {square: np.zeros((len(SIDES), len(EDGE_KINDS)))}, min_clear=0)
        laid = next(reading for reading in tiles if reading.square == square)
        assert laid.tile is not None
        return replace(self, tiles=tiles).lay(square, Placement(laid.tile, laid.turns))

    def lay(self, square: Square, tile: Placement | None) -> Followed:
        """Return the game with another tile on a square, or none, which stays in doubt; its pieces are traced again."""
        assumed = {at: piece for at, piece in self.assumed.items() if at != square}
        game = replace(self, left_out=self.left_out | {square}, assumed=assumed)
        if tile is not None:
            readings = (_read_as(reading, tile) if reading.square == square else reading for reading in self.tiles)
            game = replace(game, tiles=tuple(readings), left_out=self.left_out - {square})
        if self.sights is not None:
            return self.sights.trace(game)
        boards = (lay_tile(board, square, tile) if square in board.tiles else board for board in self.boards)
        return replace(game, boards=tuple(boards))

    def list_other_pieces(self, square: Square) -> list[Stay | None]:
        """Return what else may stand on a square on which photos show a piece, the likeliest first."""
        return [] if self.sights is None else self.sights.list_other_pieces(self, square)

    def assume_piece(self, square: Square, piece: Stay | None) -> Followed:
        """Return the game with another piece on a square, or none, which stays in doubt."""
        assert self.sights is not None
        return self.sights.trace(replace(self, assumed={**self.assumed, square: piece}))

    @property
    def origin(self) -> Square:
        """Return the first row and column of the first board, from which people count squares all game long."""
        return self.boards[0].origin if self.first_square is None else self.first_square


def follow_game(
    timeline: Timeline,
    moments: Sequence[Reading],
    colours: Collection[str] = (),
    apart: tuple[ReadingError, ...] = (),
    set_aside: tuple[tuple[Photo, ReadingError], ...] = (),
) -> Followed:
    """Return the boards of a timeline from the separate readings of its photos; `colours` are those in play, if
    known.

    Unknown tiles get a layout by their edges, the same in each photo, even if these are not clear: a game goes on only
    from a known board.
    """
    last = moments[-1]
    edges = collect_edges(tuple(timeline.since), timeline.logits, last.possible_wonders)
    tiles = lay_stand_ins(last.tiles, edges, min_clear=0)
    sights = Sights(tuple(moments), tuple(map(list_tiled_squares, timeline.placed)), frozenset(colours))
    game = Followed(
        tuple(placed.survey.photo for placed in timeline.placed),
        (),
        tiles,
        (),
        timeline.unsure & {tile.square for tile in tiles},
        apart,
        last.possible_wonders,
        set_aside,
        timeline.moved,
        views=tuple(placed.warp.homography for placed in timeline.placed),
        tracks=tuple(moment.track for moment in moments),
        sights=sights,
    )
    return sights.trace(game)


def _read_as(reading: TileReading, tile: Placement) -> TileReading:
    """Return the reading of a square with another tile; the one as read becomes an alternative."""
    shares = {(other.tile, other.turns): other.probability for other in reading.alternatives}
    if reading.tile is not None:
        shares[reading.tile, reading.turns] = reading.confidence
    share = shares.pop((tile.tile, tile.turns), 0.0)
    others = [TileAlternative(*other, share) for other, share in sorted(shares.items(), key=lambda item: -item[1])]
    return replace(
        reading,
        tile=tile.tile,
        turns=tile.turns,
        corners_px=turn_quad(reading.corners_px, reading.turns - tile.turns),
        confidence=share,
        doubtful=True,
        alternatives=tuple(others),
    )


def _fill_in(reading: Reading, lying: Mapping[Square, TileReading]) -> Reading:
    """Return the reading of one photo with the tiles of the last board, and without those that are none."""
    known = tuple(tile for tile in reading.tiles if tile.square in lying)
    tiles = tuple(lying[tile.square] for tile in known)
    there = {tile.square for tile in known}
    meeples, possible = (
        place_on_stand_ins([piece for piece in group if (piece.row, piece.col) in there], known, tiles, reading.wonders)
        for group in (reading.meeples, reading.possible_meeples)
    )
    return replace(reading, tiles=tiles, meeples=meeples, possible_meeples=possible)


def _stand_on(last: Tiles, there: Tiles, piece: MeepleReading) -> MeepleReading:
    """Return a piece on its tile as the last board has it: a wonder's layout is known once all of it lies there."""
    was, now = (tiles.get((piece.row, piece.col)) for tiles in (there, last))
    return piece if was is None or now is None or was == now else replace(stand_by_foot(piece, now), doubtful=True)


def _move_to_new_tiles(
    meeples_by_photo: list[list[MeepleReading]], tiles_by_photo: Sequence[Tiles], tiled: Sequence[Collection[Square]]
) -> list[list[MeepleReading]]:
    """Return the pieces, those at the border of a tile that lay bare before on the new tile across it.

    A piece is set on the tile that is laid in the same turn.
    """
    since = {square: n for n in reversed(range(len(tiles_by_photo))) for square in tiles_by_photo[n]}
    first: dict[Square, int] = {}
    for number, meeples in enumerate(meeples_by_photo):
        for piece in meeples:
            first.setdefault((piece.row, piece.col), number)
    new: dict[Square, list[Square]] = {}
    for square, number in first.items():
        if any(square in tiled[n] for n in range(since.get(square, number), number)):
            new[square] = [near for near in list_neighbours(square) if since.get(near) == number]
    last = tiles_by_photo[-1]
    return [
        [_move_across_border(piece, new.get((piece.row, piece.col), ()), last) for piece in meeples]
        for meeples in meeples_by_photo
    ]


def _move_across_border(piece: MeepleReading, new: Sequence[Square], tiles: Tiles) -> MeepleReading:
    """Return a piece on the first of some tiles whose border is near its foot, else as it is."""
    for row, col in new:
        beside = max(abs(piece.at[0] - col - 0.5), abs(piece.at[1] - row - 0.5)) - 0.5
        if (on := tiles[row, col]) is not None and beside <= BORDER_REACH_TILES:
            return stand_by_foot(replace(piece, row=row, col=col), on)
    return piece


def _count_cleared(boards: Sequence[Board], last: Reading, visible: Collection[Square]) -> int:
    """Return the number of pieces that were cleared away before the last photo: 0 if it shows any, or if none stood."""
    standing = [piece for piece in boards[-1].meeples if piece.square in visible]
    return 0 if last.meeples or len(boards) < 2 else len(standing)
