"""A person's corrections of a game in progress, applied to its boards. Those that cannot be applied are refused."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from api.documents.game_corrections import (
    DenyTaking,
    GameCorrection,
    GivePoints,
    GiveTurn,
    GiveWonder,
    LayTile,
    LeavePhotoAside,
    StandPiece,
)
from api.errors import CorrectionError
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement, list_markers, mark_wonders
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.board.square_names import find_numbered_square, name_square
from scoring.carcassonne.doubt.kinds.base import lay_tile
from scoring.carcassonne.final.table import find_wonder_id
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.connected_squares import list_neighbours
from vision.sequence.followed import Followed


@dataclass
class CorrectedGame:
    """A game under correction: what its photos show as amended, and statements about what they do not show.

    It `has_wonders` if they were stated to be in play, whether one lies on the board or not. `points` are players'
    points by the number of a photo, `turns` the players on turn, `untaken` squares without a piece set and taken back,
    `taken` the players who set one, seen or stated, `owners` those of wonders that are not on the board yet.
    `left_aside` are the names of the photos left out. `refused` are the errors of corrections by their numbers,
    `sources` the numbers of those about takings by their squares.
    """

    sequence: Followed
    players: Collection[str]
    has_wonders: bool = False
    points: dict[int, dict[str, int]] = field(default_factory=dict)
    turns: dict[int, str] = field(default_factory=dict)
    untaken: set[Square] = field(default_factory=set)
    taken: dict[Square, str] = field(default_factory=dict)
    owners: dict[str, str] = field(default_factory=dict)
    left_aside: set[str] = field(default_factory=set)
    refused: dict[int, CorrectionError] = field(default_factory=dict)
    sources: dict[Square, int] = field(default_factory=dict)

    def leave_aside(self, correction: LeavePhotoAside) -> None:
        """Leave a photo out; squares keep their names."""
        if correction.photo in self._list_absent():
            return
        sequence, number = self.sequence, self._find_photo(correction.photo)
        photos = (*sequence.photos[:number], *sequence.photos[number + 1 :])
        boards = (*sequence.boards[:number], *sequence.boards[number + 1 :])
        views = (*sequence.views[:number], *sequence.views[number + 1 :])
        if not boards:
            raise CorrectionError("photo_unknown", details={"photo": correction.photo})
        self.left_aside |= {sequence.photos[number].file, sequence.photos[number].sha256}
        tracks = (*sequence.tracks[:number], *sequence.tracks[number + 1 :])
        moved = tuple(n - (n > number) for n in sequence.moved if n != number)
        cleared = 0 if number == len(photos) else sequence.cleared
        self.sequence = replace(
            sequence,
            photos=photos,
            boards=boards,
            views=views,
            tracks=tracks,
            moved=moved,
            cleared=cleared,
            first_square=sequence.origin,
        )

    def give_points(self, correction: GivePoints) -> None:
        """State the points of some players at a photo."""
        number = self._find_photo(correction.photo)
        for colour, points in correction.points.items():
            self._refuse_stranger(colour)
            for other, known in self.points.items():
                if (other < number and known.get(colour, 0) > points) or (
                    other > number and known.get(colour, points) < points
                ):
                    details = {"player": colour, "points": points, "other_photo": self.sequence.photos[other].file}
                    raise CorrectionError("points_fall", details={**details, "points_there": known[colour]})
        self.points.setdefault(number, {}).update(correction.points)

    def give_turn(self, correction: GiveTurn) -> None:
        """State who was on turn at a photo."""
        self._refuse_stranger(correction.colour)
        number = 0 if correction.photo is None else self._find_photo(correction.photo)
        self.turns[number] = correction.colour

    def deny_taking(self, correction: DenyTaking, source: int) -> None:
        """State that no piece was set and taken back on a square."""
        square = self._find_square(correction.square)
        self._find_tile(square)
        self.untaken.add(square)
        self.taken.pop(square, None)
        self.sources[square] = source

    def lay(self, correction: LayTile) -> None:
        """Lay another tile on a square, or none, and move the pieces there to the corresponding parts."""
        square = self._find_square(correction.square)
        if correction.tile is not None and correction.tile not in load_whole_catalogue():
            raise CorrectionError("tile_unknown_name", details={"tile": correction.tile})
        tile = None if correction.tile is None else Placement(correction.tile, correction.turns)
        boards = self.sequence.boards
        times = [number for number, board in enumerate(boards) if square in board.tiles]
        if tile is None and not times:
            raise CorrectionError("square_empty", details=self._describe(square))
        if times and (old := boards[times[0]].tiles[square]) is not None and old.wonder is not None:
            raise CorrectionError("wonder_there", details=self._describe(square))
        first = times[0] if times else len(boards) - 1
        first = first if correction.photo is None else self._find_photo(correction.photo)
        if tile is not None and not _touches(boards[first], square):
            raise CorrectionError("touches_nothing", details=self._describe(square))
        self._amend(square, lambda number, board: lay_tile(board, square, tile if number >= first else None))
        sequence = self.sequence
        self.sequence = replace(
            sequence,
            tiles=tuple(reading for reading in sequence.tiles if reading.square != square),
            unsure=sequence.unsure - {square},
            possible_wonders=tuple(one for one in sequence.possible_wonders if square not in one.placed.squares),
        )

    def stand(self, correction: StandPiece, source: int) -> None:
        """Stand a piece on a square until its feature is complete, or take away the one that stands there."""
        square, boards = self._find_square(correction.square), self.sequence.boards
        first, tile = self._find_tile(square)
        first = first if correction.photo is None else max(first, self._find_photo(correction.photo))
        self.taken.pop(square, None)
        if correction.colour is None or correction.place is None:
            self.untaken.add(square)
            self._amend(square, lambda number, board: _take(board, square) if number >= first else board)
            return
        self._refuse_stranger(correction.colour)
        segment = find_segment(tile.layout, tile.turns, correction.place)
        if segment is None or tile.layout.segments[segment].kind == "wonder":
            raise CorrectionError("place_unknown", details={**self._describe(square), "place": correction.place})
        pose = "lying" if tile.layout.segments[segment].kind == "field" else "standing"
        piece = PlacedMeeple(correction.colour, square, segment, pose, correction.piece)
        self.untaken.discard(square)
        later = [*enumerate(boards)][first:]
        stays = [number for number, board in later if not build_feature_map(board).is_complete_under(piece)]
        if not stays:
            self.taken[square] = correction.colour
            self.sources[square] = source
        self._amend(
            square,
            lambda number, board: (
                _take(board, square, piece if number in stays else None) if number >= first else board
            ),
        )

    def give_wonder(self, correction: GiveWonder) -> None:
        """State who owns a wonder, on the board or not."""
        id = find_wonder_id(correction.wonder)
        if id is None:
            raise CorrectionError("tile_unknown_name", details={"wonder": correction.wonder})
        self._refuse_stranger(correction.colour)
        wonders = self.sequence.boards[-1].wonders
        lying = [wonder for wonder in wonders if wonder.layout.id == id]
        if not lying:
            if not (self.has_wonders or wonders):
                raise CorrectionError("wonder_not_there", details={"wonder": id})
            self.owners[id] = correction.colour
            return
        markers = {marker for board in self.sequence.boards for marker in list_markers(board, lying[0])}
        doubts = tuple(
            doubt
            for doubt in self.sequence.doubts
            if doubt.square not in lying[0].squares or doubt.square not in {marker.square for marker in markers}
        )
        boards = tuple(
            mark_wonders(board, {id: correction.colour}) if lying[0] in board.wonders else board
            for board in self.sequence.boards
        )
        self.sequence = replace(self.sequence, boards=boards, doubts=doubts)

    def _amend(self, square: Square, amend: Callable[[int, Board], Board]) -> None:
        """Amend every board; the square is then certain."""
        boards = tuple(amend(number, board) for number, board in enumerate(self.sequence.boards))
        doubts = tuple(doubt for doubt in self.sequence.doubts if doubt.square != square)
        self.sequence = replace(self.sequence, boards=boards, doubts=doubts)

    def _find_photo(self, name: str) -> int:
        """Return the number of a photo by its file or its SHA-256."""
        numbers = [n for n, photo in enumerate(self.sequence.photos) if name in (photo.file, photo.sha256)]
        if len(numbers) == 1:
            return numbers[0]
        code = "photo_ambiguous" if numbers else "photo_set_aside" if name in self._list_absent() else "photo_unknown"
        raise CorrectionError(code, details={"photo": name})

    def _list_absent(self) -> set[str]:
        """Return the names of the photos that do not count: unread, of no board of this game, or left aside."""
        photos = [photo for photo, _ in self.sequence.set_aside]
        names = {name for photo in photos for name in (photo.file, photo.sha256)}
        return (
            names
            | self.left_aside
            | self.sequence.unread
            | {str(error.details["file"]) for error in self.sequence.apart}
        )

    def _find_square(self, numbers: Square) -> Square:
        return find_numbered_square(numbers, self.sequence.origin)

    def _find_tile(self, square: Square) -> tuple[int, Placement]:
        """Return the tile on a square and the number of the first photo with it."""
        for number, board in enumerate(self.sequence.boards):
            if (tile := board.tiles.get(square)) is not None:
                return number, tile
        raise CorrectionError("square_empty", details=self._describe(square))

    def _describe(self, square: Square) -> Mapping[str, object]:
        return {"square": square, "named": name_square(square, self.sequence.origin)}

    def _refuse_stranger(self, colour: str) -> None:
        if self.players and colour not in self.players:
            raise CorrectionError("no_such_player", details={"colour": colour, "players": [*self.players]})


def correct_game(
    sequence: Followed, corrections: Sequence[GameCorrection], players: Collection[str], has_wonders: bool
) -> CorrectedGame:
    """Apply corrections to a game; `players` are their colours, if known. Photos are left out first."""
    game = CorrectedGame(sequence, players, has_wonders, taken=dict(sequence.takers))
    numbered = [*enumerate(corrections)]
    for number, correction in sorted(numbered, key=lambda one: not isinstance(one[1], LeavePhotoAside)):
        try:
            _apply(game, correction, number)
        except CorrectionError as error:
            game.refused[number] = error
    return game


def _apply(game: CorrectedGame, correction: GameCorrection, number: int) -> None:
    match correction:
        case LeavePhotoAside():
            game.leave_aside(correction)
        case GivePoints():
            game.give_points(correction)
        case GiveTurn():
            game.give_turn(correction)
        case DenyTaking():
            game.deny_taking(correction, number)
        case LayTile():
            game.lay(correction)
        case StandPiece():
            game.stand(correction, number)
        case GiveWonder():
            game.give_wonder(correction)


def _touches(board: Board, square: Square) -> bool:
    """Return whether a square is one of the board's or shares a side with one, as any does on an empty board."""
    return not board.tiles or not board.tiles.keys().isdisjoint((square, *list_neighbours(square)))


def _take(board: Board, square: Square, instead: PlacedMeeple | None = None) -> Board:
    """Return the board without the piece on a square, or with another one; a wonder's marker stays."""
    others = tuple(m for m in board.meeples if m.square != square or board.is_marker(m))
    return replace(board, meeples=(*others, instead) if instead else others)
