"""The pipeline of a photo: lattice, tiles, legal board, meeples. Models are loaded once and used for many photos."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from vision.board.expansions import NONE_STATED
from vision.board.table_likelihood import is_small_and_doubtful, rank_table
from vision.enrolment.prints import Enrolment, Enrolments
from vision.enrolment.score_boards import EnrolledScoreBoard, EnrolledToken, ScoreBoards, ScoreTokens
from vision.enrolment.wonders import WonderLayouts, find_damaged_wonders, load_wonder_art, load_wonders_in_force
from vision.errors import ReadingError
from vision.multiview.joiner import Joiner
from vision.multiview.reading import JoinedReading
from vision.photo.decoding import Photo
from vision.pieces.piece_reader import PieceReader
from vision.reading.values import Reading
from vision.runtime.onnx import MODELS, THREADS, Net
from vision.runtime.parallel import Stopwatch
from vision.score_track.track_reader import TrackReader
from vision.sequence.series import Series
from vision.squares.square_reader import SquareReader
from vision.survey.survey import Survey, share_sheet
from vision.survey.surveyor import Surveyor


class Reader:
    """Reader of boards from photos; `models` is the folder with the ONNX files.

    `enrolments` are enrolled prints; `score_boards` are searched for before the first edition's score board, and
    `score_tokens` beside either; `wonders` are the layouts in force, by id, by default those shipped. The enrolments of
    each stage may be replaced between readings: `square_reader.prints`, `surveyor.score_boards`, `track_reader.tokens`,
    and `board_tiles.wonders` with `damaged_wonders`, the ids of enrolled wonders with damaged files.

    The callback for stages is called with the name of each stage as it starts. Each net runs on this many `threads`,
    and is opened by `open_net`.
    """

    def __init__(
        self,
        models: Path | None = None,
        enrolments: Iterable[Enrolment] = (),
        tell: Callable[[str], None] = lambda stage: None,
        threads: int = THREADS,
        score_boards: Iterable[EnrolledScoreBoard] = (),
        score_tokens: Iterable[EnrolledToken] = (),
        wonders: WonderLayouts | None = None,
        open_net: Callable[..., Net] = Net,
    ) -> None:
        folder = models or MODELS
        self.localiser = open_net(folder / "localiser.onnx", threads)
        self.classifier = open_net(folder / "classifier.onnx", threads, apart=True)
        self.coats = open_net(folder / "coats.onnx", threads, apart=True)
        self.finder = open_net(folder / "meeples.onnx", threads)
        self.pieces = open_net(folder / "pieces.onnx", threads, apart=True)
        self.kinds = open_net(folder / "kinds.onnx", threads, apart=True)
        self.ground = open_net(folder / "ground.onnx", threads, apart=True)
        self.square_reader = SquareReader(self.classifier, self.coats, enrolments)
        self.surveyor = Surveyor(self.localiser, self.square_reader, score_boards)
        self.piece_reader = PieceReader(self.finder, self.pieces, self.kinds, self.ground)
        self.joiner = Joiner(self.square_reader, self.piece_reader, wonders)
        self.board_tiles = self.joiner.board_tiles
        self.track_reader = TrackReader(self.finder, self.pieces, score_tokens)
        self.damaged_wonders: tuple[str, ...] = ()
        self._announce = tell

    @classmethod
    def load_enrolled(cls, tell: Callable[[str], None] = lambda stage: None, threads: int = THREADS) -> Reader:
        """Load the reader of this machine with all its enrolments.

        Raises EnrolmentError `bad_enrolment` except for wonders, CatalogueError, and InputError `models_missing`.
        """
        wonders = load_wonders_in_force()
        reader = cls(
            enrolments=[*Enrolments().all(), *load_wonder_art(wonders)],
            tell=tell,
            threads=threads,
            score_boards=ScoreBoards().all(),
            score_tokens=ScoreTokens().all(),
            wonders=wonders,
        )
        reader.damaged_wonders = find_damaged_wonders(wonders)
        return reader

    @property
    def nets(self) -> tuple[Net, ...]:
        """Return all nets used in a reading, whose time is measured."""
        return self.localiser, self.classifier, self.coats, self.finder, self.pieces, self.kinds, self.ground

    def read(self, photo: Photo) -> Reading:
        """Return the reading of one photo; raise ReadingError: `board_not_found`, `board_too_large`."""
        return self.join([self.survey(photo)]).views[0].reading

    def survey(self, photo: Photo) -> Survey:
        """Return the survey of one photo, before the rules are applied.

        Raises ReadingError: `board_not_found`, `board_too_large`.
        """
        return self.surveyor.survey(photo, Stopwatch(self._announce))

    def survey_moment(self, photo: Photo) -> Survey:
        """Return the survey of a photo of a game under way, or of its start tile alone.

        If no board or a small and doubtful one is found, each group of tiles with a start tile is surveyed by itself,
        and the largest sure table is returned. Raises ReadingError: `board_not_found`, `board_too_large`.
        """
        surveys, rank = list[Survey](), partial(rank_table, catalogue=self.square_reader.catalogue)
        try:
            surveys.append(self.survey(photo))
        except ReadingError as error:
            if error.code != "board_not_found":
                raise
        if not surveys or is_small_and_doubtful(surveys[0], self.square_reader.catalogue):
            surveys += self.surveyor.survey_starts(photo, Stopwatch(self._announce))
        if not surveys:
            raise ReadingError("board_not_found")
        return max(share_sheet(surveys), key=rank)

    def look(self, photo: Photo) -> Survey:
        """Return the survey of a first look at a photo, even if hardly any tile is recognised.

        Raises ReadingError: `board_not_found` if there is no lattice at all, `board_too_large`.
        """
        return self.surveyor.look(photo, Stopwatch(self._announce))

    def join(self, surveys: Sequence[Survey], copies: Mapping[str, int] = NONE_STATED) -> JoinedReading:
        """Return the reading of one table from several photos; photos of another table, or of none, are listed
        separately.

        `copies` are the stated numbers of copies of boxes. Raises ReadingError: `board_not_found` if none shows a
        board, `board_too_large`.
        """
        watch, joiner = Stopwatch(self._announce), self.joiner.state(copies)
        with watch("join"):
            joint = joiner.group(surveys)
        try:
            joiner.refuse_large_table(joint)
            with watch("legal"):
                board = joiner.read_board(joint)
            with watch("meeples"):
                table = joiner.read_table(board)
            with watch("track"):
                board = table.board
                track = self.track_reader.read(board.joint.placed, board.tiles, table.pieces, table.colours)
            return table.build_reading(track, watch.laps)
        except ReadingError as error:
            if not joint.apart:
                raise
            rest = self.join([survey for survey, _ in joint.apart], copies)
            return rest.without([placed.survey.photo for placed in joint.placed], error)

    def add_score_board(self, joined: JoinedReading, photo: Photo) -> JoinedReading | None:
        """Return a reading with the score board of a photo that shows only that; None if it shows none."""
        reading = joined.views[0].reading
        colours = {meeple.colour for meeple in (*reading.meeples, *reading.possible_meeples)}
        with Stopwatch(self._announce)("track"):
            track = self.track_reader.read_alone(photo, self.surveyor.score_boards, colours)
        if track is None:
            return None
        views = (replace(view, reading=replace(view.reading, track=track)) for view in joined.views)
        return replace(joined, views=tuple(views))

    def begin_series(self, copies: Mapping[str, int] = NONE_STATED) -> Series:
        """Return a series, to which the surveys of one growing board are added in about chronological order.

        `copies` are the stated numbers of copies of boxes.
        """
        return Series(
            self.board_tiles.state(copies),
            self.piece_reader,
            self.track_reader.read,
            self.surveyor.survey_again,
            self.surveyor.extend,
        )
