"""The photos of one game as they are taken: each is read once, and the pixels of earlier ones are not kept."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace

from scoring.carcassonne.tiles.geometry import Square
from vision.board.board import BoardTiles
from vision.board.wonders.evidence import MarkerLooks
from vision.board.wonders.finder import FoundWonders
from vision.errors import ReadingError
from vision.geometry.lattice_transform import Step
from vision.multiview.placed_pieces import join_pieces, read_grounds_of_photo, read_placed_pieces
from vision.multiview.reading import build_join_error
from vision.photo.decoding import Photo
from vision.pieces.ground_classifier import Grounds
from vision.pieces.kind_prior import collect_marker_looks
from vision.pieces.meeples import read_meeples
from vision.pieces.piece_reader import PieceReader
from vision.reading.board import build_board
from vision.reading.piece import Piece
from vision.reading.values import MeepleReading, Reading, TileReading, TrackReading
from vision.sequence.followed import Followed, follow_game
from vision.sequence.timeline import PHOTOS_OF_TILE, Timeline
from vision.squares.classifier import TileLogits
from vision.survey.survey import PlacedSurvey, Survey

ReadTrack = Callable[
    [Sequence[PlacedSurvey], Sequence[TileReading], Sequence[Sequence[Piece]], Collection[str]], TrackReading | None
]
"""A function that reads the score board in photos, as `TrackReader.read` does."""
SurveyAgain = Callable[[Photo, Survey], Survey | None]
"""A function that surveys a photo where another shows tiles, as `Surveyor.survey_again` does."""
ExtendSurvey = Callable[[Survey, Sequence[Square]], Survey]
"""A function that reads a photo on further squares, as `extend_survey` does."""
Meeples = tuple[tuple[MeepleReading, ...], tuple[MeepleReading, ...]]
"""The meeples of a photo, and places where more may stand."""


class Series:
    """The photos of one game, added one by one in the order in which they were taken, or about so.

    Photos of another board are kept as games of their own: the game with most photos is the one that is followed.
    """

    def __init__(
        self,
        board_tiles: BoardTiles,
        piece_reader: PieceReader,
        read_track: ReadTrack,
        survey_again: SurveyAgain,
        extend: ExtendSurvey,
    ) -> None:
        self._board_tiles, self._piece_reader = board_tiles, piece_reader
        self._read_track, self._survey_again, self._extend = read_track, survey_again, extend
        self._games: list[_Game] = []
        self._arrivals = 0
        self._latest: list[tuple[Survey, int]] = []
        self._faults: dict[str, tuple[Photo, ReadingError]] = {}

    def add(self, survey: Survey) -> None:
        """Read a further photo. One that fits nowhere is set aside, and tried again once the board has grown.

        Raises ReadingError if there is no other photo.
        """
        arrival, self._arrivals = self._arrivals, self._arrivals + 1
        survey = self._find_more_tiles(survey)
        self._latest.append((survey, arrival))
        try:
            game = self._join(survey, arrival) or self._begin(survey, arrival)
        except ReadingError as error:
            if not self._games:
                self._latest.pop()
                raise
            self._faults.setdefault(survey.photo.sha256, (survey.photo.without_pixels(), error))
        else:
            self._join_others(game)
        self._forget_pixels()

    def look_again(self, photo: Photo, like: Survey | None = None) -> Survey | None:
        """Return the survey of a photo in which no board was found, where another one, by default the last, shows
        tiles; None if it shows others there.
        """
        if like is None and not self._games:
            return None
        return self._survey_again(photo, like or self._find_largest().timeline.placed[-1].survey)

    def _find_more_tiles(self, survey: Survey) -> Survey:
        """Return the survey of a photo, by the squares on which the last photo shows tiles if it finds more there."""
        last = self._find_largest().timeline.placed[-1].survey if self._games else survey
        if survey.known_tiles >= last.known_tiles:
            return survey
        return max(survey, self._survey_again(survey.photo, last) or survey, key=lambda one: one.known_tiles)

    def _join(self, survey: Survey, arrival: int) -> _Game | None:
        """Add a photo to the first game that it fits, the largest first, and return that game, if any."""
        for game in sorted(self._games, key=lambda game: -len(game.timeline.placed)):
            if self._fit(survey, arrival, game):
                return game
        return None

    def _fit(self, survey: Survey, arrival: int, game: _Game) -> bool:
        """Add a photo to a game that it fits. If it shows the game but fits nowhere among its photos, note why."""
        alignment = game.timeline.align(survey)
        if alignment.is_sure:
            try:
                game.add(survey, alignment.step, arrival, self._extend)
            except ReadingError as error:
                self._faults.setdefault(survey.photo.sha256, (survey.photo.without_pixels(), error))
            else:
                return True
        return False

    def _begin(self, survey: Survey, arrival: int) -> _Game:
        """Begin a further game with a photo; raises ReadingError."""
        game = _Game.begin(survey, self._board_tiles, self._piece_reader, self._read_track, arrival)
        self._games.append(game)
        return game

    def _join_others(self, game: _Game) -> None:
        """Add photos that the largest game lacks to a game that has grown, until none fits, and drop games that lie in
        it.
        """
        known = game.files | self._find_largest().files
        left = [one for one in self._latest if one[0].photo.sha256 not in known]
        while joined := [one for one in left if self._fit(*one, game)]:
            left = [one for one in left if one not in joined]
        self._games = [other for other in self._games if other is game or not other.files <= game.files]

    def _forget_pixels(self) -> None:
        """Keep the latest photos that the largest game lacks, or all if it is small: another may become larger."""
        files = self._find_largest().files
        self._latest = [one for one in self._latest if len(files) < PHOTOS_OF_TILE or one[0].photo.sha256 not in files]
        self._latest = self._latest[-PHOTOS_OF_TILE:]

    def _find_largest(self) -> _Game:
        return max(self._games, key=lambda game: len(game.timeline.placed))

    def follow(self, colours: Collection[str] = ()) -> Followed:
        """Return the board of each photo in chronological order; `colours` are those in play, if known."""
        game = self._find_largest()
        outside = {
            view.survey.photo.sha256: view.survey
            for other in self._games
            for view in other.timeline.placed
            if view.survey.photo.sha256 not in game.files | self._faults.keys()
        }
        files = [placed.survey.photo.file for placed in game.timeline.placed]
        apart = tuple(build_join_error(survey, game.timeline.align(survey), files) for survey in outside.values())
        set_aside = tuple(fault for file, fault in self._faults.items() if file not in game.files)
        return follow_game(game.timeline, game.read_moments(), colours, apart, set_aside)


@dataclass(slots=True)
class _Found:
    """The pieces of one photo and the print beneath them, and the meeples that they are on a given board.

    `track` is the score board, if the photo shows it.
    """

    pieces: list[Piece]
    grounds: Grounds
    track: TrackReading | None = None
    known: tuple[Mapping[Square, object], Meeples] | None = None

    def read_meeples(self, piece_reader: PieceReader, bare: Reading) -> Meeples:
        """Return the meeples of the photo, decided again only if its tiles are read differently than before."""
        board = build_board(bare)
        if self.known is None or self.known[0] != board.tiles:
            meeples = read_meeples(self.pieces, piece_reader.names, bare.warp, board, self.grounds)
            self.known = board.tiles, meeples
        return self.known[1]


@dataclass(slots=True)
class _Game:
    """The photos of one board: its last state, and the pieces of each photo by its hash."""

    board_tiles: BoardTiles
    piece_reader: PieceReader
    read_track: ReadTrack
    timeline: Timeline
    tiles: Sequence[TileReading] = ()
    wonders: FoundWonders | None = None
    found: dict[str, _Found] = field(default_factory=dict)

    @property
    def files(self) -> frozenset[str]:
        """Return the hashes of its photos."""
        return frozenset(placed.survey.photo.sha256 for placed in self.timeline.placed)

    @classmethod
    def begin(
        cls, survey: Survey, board_tiles: BoardTiles, piece_reader: PieceReader, read_track: ReadTrack, arrival: int
    ) -> _Game:
        """Read the first photo of a board; raises ReadingError."""
        game = cls(board_tiles, piece_reader, read_track, Timeline.begin(survey, board_tiles.catalogue, arrival))
        game._read(game.timeline, 0)
        return game

    def add(self, survey: Survey, step: Step, arrival: int, extend: ExtendSurvey) -> None:
        """Read a further photo; raises ReadingError, and then nothing has changed.

        If it brings several tiles, some may have been overlooked in the photo before it.
        """
        board = {tile.square for tile in self.tiles if not tile.doubtful}
        timeline = self.timeline.add(survey, step, arrival, board)
        number = next(n for n, placed in enumerate(timeline.placed) if placed.survey is survey)
        fresh = [square for square, at in timeline.since.items() if at == number]
        wider = timeline
        if 0 < number == len(timeline.placed) - 1 and len(fresh) > 1:
            wider = _look_back(timeline, fresh, extend)
        self._read(wider, number, again=[number - 1] if wider is not timeline else [])

    def _read(self, timeline: Timeline, number: int, again: Sequence[int] = ()) -> None:
        """Read the board as far as the photos show it, and the pieces of the photo with this number, and of others
        `again`.

        Wonders are searched for in the last photo only; if they are in doubt, upside-down pieces of any photo serve as
        further evidence.
        """
        name = timeline.placed[number].survey.photo.sha256
        is_last = number == len(timeline.placed) - 1
        tiles, wonders = self._read_tiles(timeline, None if is_last else self.wonders)
        found = {**self.found, name: self._find_pieces(timeline, number, tiles, wonders)}
        for other in again:
            found[timeline.placed[other].survey.photo.sha256] = self._find_pieces(timeline, other, tiles, wonders)
        if wonders.doubtful and is_last:
            pieces = [found[placed.survey.photo.sha256].pieces for placed in timeline.placed]
            sightings = [sighting.piece for sighting in join_pieces(pieces, timeline.placed)]
            markers = collect_marker_looks(sightings, self.piece_reader.names.poses)
            tiles, wonders = self._read_tiles(timeline, wonders, markers)
            found[name] = self._find_pieces(timeline, number, tiles, wonders)
        wonders = self.board_tiles.read_coats(wonders, *_list_evidence(timeline)) if is_last else wonders
        self.timeline, self.tiles, self.found = timeline.forget_pixels(), tiles, found
        self.wonders = replace(wonders, search=None)

    def _read_tiles(
        self, timeline: Timeline, known: FoundWonders | None, markers: MarkerLooks | None = None
    ) -> tuple[Sequence[TileReading], FoundWonders]:
        return self.board_tiles.read(*_list_evidence(timeline), known, markers, is_begun=len(timeline.placed) > 1)

    def _find_pieces(
        self, timeline: Timeline, number: int, tiles: Sequence[TileReading], wonders: FoundWonders
    ) -> _Found:
        bare, placed = _select_lying(timeline, number, tiles, wonders), timeline.placed[number]
        board = build_board(bare)
        pieces = read_placed_pieces(self.piece_reader, placed, bare.tiles, board)
        found = _Found(pieces, read_grounds_of_photo(self.piece_reader, placed, pieces, board))
        meeples, possible = found.read_meeples(self.piece_reader, bare)
        colours = {meeple.colour for meeple in (*meeples, *possible)}
        found.track = self.read_track([placed], bare.tiles, [pieces], colours)
        return found

    def read_moments(self) -> list[Reading]:
        """Return the reading of each photo: the tiles and wonders of the last board that were there by then, and the
        pieces.
        """
        assert self.wonders is not None
        moments = []
        for number, placed in enumerate(self.timeline.placed):
            bare = _select_lying(self.timeline, number, self.tiles, self.wonders)
            meeples, possible = self.found[placed.survey.photo.sha256].read_meeples(self.piece_reader, bare)
            track = self.found[placed.survey.photo.sha256].track
            moments.append(replace(bare, meeples=meeples, possible_meeples=possible, track=track))
        return moments


def _look_back(timeline: Timeline, squares: Sequence[Square], extend: ExtendSurvey) -> Timeline:
    """Return the timeline with those of some squares read in the last photo but one that it shows, but lacks."""
    number = len(timeline.placed) - 2
    before = timeline.placed[number]
    visible = [square for square, whole in zip(squares, before.shows(squares), strict=True) if whole]
    back = before.step.inverse()
    wider = extend(before.survey, [back.square(square) for square in visible if square not in before.index])
    return timeline if wider is before.survey else timeline.replace_survey(number, wider)


def _list_evidence(timeline: Timeline) -> tuple[Sequence[Square], TileLogits, Sequence[PlacedSurvey]]:
    """Return the squares with their logits, and the photo whose pixels are still known."""
    return tuple(timeline.since), timeline.logits, timeline.placed[-1:]


def _select_lying(timeline: Timeline, number: int, tiles: Sequence[TileReading], wonders: FoundWonders) -> Reading:
    """Return the tiles and wonders of the last board that were there by a given photo, or may have been."""
    placed = timeline.placed[number]
    since = _list_times(timeline, wonders)
    lying = tuple(tile for tile in tiles if since.get(tile.square, len(timeline.placed) - 1) <= number)
    squares = {tile.square for tile in lying}
    read, possible = (
        tuple(wonder for wonder in found if squares.issuperset(wonder.placed.squares))
        for found in (wonders.read, wonders.possible)
    )
    return Reading(*placed.size, lying, (), placed.warp, {}, wonders=read, possible_wonders=possible)


def _list_times(timeline: Timeline, wonders: FoundWonders) -> dict[Square, int]:
    """Return the first photo of each square's tile; a wonder's squares in no photo's lattice share the time of its
    others.
    """
    since = dict(timeline.since)
    for wonder in (*wonders.read, *wonders.possible):
        times = [timeline.since[square] for square in wonder.placed.squares if square in timeline.since]
        for square in wonder.placed.squares if times else ():
            since.setdefault(square, min(times))
    return since
