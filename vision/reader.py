"""The way of a photo: lattice, tiles, legal board, meeples. Models are loaded once, photos read many times."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import numpy as np

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.tiles.geometry import Square, find_outer_neighbours
from scoring.connected_squares import MAX_BOARD_SQUARES
from vision.board.board import SOME_CONFIDENCE, TILES_LEAST, BoardTiles
from vision.enrolment.prints import Enrolment
from vision.enrolment.score_boards import TaughtScoreBoard
from vision.enrolment.score_tokens import TaughtToken
from vision.errors import ReadingError
from vision.localise.lattice import Lattice, add_squares, is_too_large
from vision.localise.search import FIRST_LOOKS_PX, find_lattice, find_table_squares, paint_over_squares
from vision.multiview.coat_occlusion import update_hidden_coats
from vision.multiview.grouping import Joint, group_surveys, replace_surveys
from vision.multiview.piece_fusion import join_pieces, move_piece
from vision.multiview.reading import JoinedReading, build_joined_reading, exclude_duplicate_surveys
from vision.photo.crops import compute_tile_px
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.photo.white_balance import correct_white_balance
from vision.pieces.classifier import Piece
from vision.pieces.colour_clusters import weigh_presence_by_likeness
from vision.pieces.crops import STAND_TILE_PX
from vision.pieces.kind_classifier import OUTLINE_TILE_PX, classify_kinds
from vision.pieces.kind_prior import find_board_boxes
from vision.pieces.meeples import Names, find_possible_pieces, read_meeples, select_shown_pieces
from vision.reading.board import build_board
from vision.reading.values import Reading, TileReading, TrackReading, TrackToken
from vision.runtime.onnx import MODELS, THREADS, Net
from vision.runtime.parallel import run_concurrently
from vision.score_board.detector import ScoreBoardFinder
from vision.score_board.first_edition import exclude_sheet_squares, find_score_sheet
from vision.score_track.pieces import PieceNets, read_track
from vision.score_track.token_detector import TokenFinder
from vision.score_track.token_owners import SeenTable, assign_owners
from vision.sequence.boards import Followed, follow_game
from vision.sequence.timeline import build_timeline
from vision.squares.background import apply_table_evidence
from vision.squares.catalogue import select_net_catalogue
from vision.squares.classifier import TileLogits, classify_squares, find_class_twins
from vision.squares.print_matching import References
from vision.survey.survey import PlacedSurvey, Survey

TILE_PX = 70.0
"""Size of a tile in the picture that squares are cut from."""
DIFFERENT_LEAST = 6
"""Where another look was needed, so many different tiles must be known: what a cloth shows it shows again and again."""
KNOWN_SHARE_LEAST = 0.2
"""Of the squares: where fewer show a tile of the catalogue, what looks like a lattice is something else."""

SAMPLED_SQUARES = 100
"""So many squares, spread over a lattice that is too large, tell what share of it shows tiles of the game: to within a
tenth, by chance alone, nineteen times in twenty."""


class Reader:
    """Reads boards from photos; `models` is the folder with the ONNX files.

    `enrolments` hold prints it was taught; `score_boards` are looked for before the first edition's score board, and
    `score_tokens` beside either.
    `tell` is called with the name of each stage as it starts; the nets run on so many `threads`.
    """

    def __init__(
        self,
        models: Path | None = None,
        enrolments: Iterable[Enrolment] = (),
        tell: Callable[[str], None] = lambda stage: None,
        threads: int = THREADS,
        score_boards: Iterable[TaughtScoreBoard] = (),
        score_tokens: Iterable[TaughtToken] = (),
    ) -> None:
        folder = models or MODELS
        self.localiser = Net(folder / "localiser.onnx", threads)
        self.classifier = Net(folder / "classifier.onnx", threads, apart=True)
        self.coats = Net(folder / "coats.onnx", threads, apart=True)
        self.finder = Net(folder / "meeples.onnx", threads)
        self.pieces = Net(folder / "pieces.onnx", threads, apart=True)
        self.kinds = Net(folder / "kinds.onnx", threads, apart=True)
        self.catalogue = select_net_catalogue(self.classifier.metadata["classes"])
        self.tiles = BoardTiles(self.catalogue)
        self.twins = find_class_twins(tuple(self.classifier.metadata["classes"]))
        self.taught = References(enrolments, self.classifier.metadata["classes"])
        self.score_boards = ScoreBoardFinder(score_boards)
        self.score_tokens = TokenFinder(score_tokens)
        self._tell = tell

    @property
    def nets(self) -> tuple[Net, ...]:
        """All that a reading asks, for what it takes of their time."""
        return self.localiser, self.classifier, self.coats, self.finder, self.pieces, self.kinds

    def read(self, photo: Photo) -> Reading:
        """What lies on the table; raises ReadingError: `board_not_found`, `board_too_large`."""
        return self.join([self.survey(photo)]).views[0].reading

    def survey(self, photo: Photo) -> Survey:
        """What one photo tells before the rules are asked.

        Raises ReadingError: `board_not_found`, `board_too_large`.
        """
        watch = _Stopwatch(self._tell)
        for look, first_px in enumerate(FIRST_LOOKS_PX):
            survey = self._looked(photo, photo.halves, first_px, watch)
            if survey and self._is_board(survey, DIFFERENT_LEAST if look else 1):
                return survey
            if survey and len(table := find_table_squares(survey.logits.layouts, survey.lattice)):
                survey = self._looked(photo, paint_over_squares(photo.halves, table), first_px, watch)
                if survey and self._is_board(survey, DIFFERENT_LEAST):
                    return survey
        raise ReadingError("board_not_found")

    def _is_board(self, survey: Survey, different: int) -> bool:
        """Whether some of its tiles are known, so many different ones among them."""
        known = self._known(survey.logits)
        return len(known) >= TILES_LEAST and len({*known}) >= different

    def _known(self, logits: TileLogits) -> list[str]:
        """The tiles that squares show; none where so few show one that it must be a patterned cloth."""
        layouts = logits.layouts[:, :-2]
        likely = layouts.max(axis=1) >= np.log(SOME_CONFIDENCE)
        known = [self.tiles.classes[choice][0] for choice in layouts[likely].argmax(axis=1).tolist()]
        return known if len(known) >= KNOWN_SHARE_LEAST * len(layouts) else []

    def look(self, photo: Photo) -> Survey:
        """The same, also where hardly a tile is known; raises ReadingError `board_not_found` for no lattice at all."""
        survey = self._looked(photo, photo.halves, FIRST_LOOKS_PX[0], _Stopwatch(self._tell))
        if survey is None:
            raise ReadingError("board_not_found")
        return survey

    def _looked(self, photo: Photo, shown: Halves, first_px: int, watch: _Stopwatch) -> Survey | None:
        """What a first look of so many pixels leads to, at the photo or what is `shown` of it; None for no lattice."""
        with watch("lattice"):
            lattice = find_lattice(self.localiser, shown, first_px)
        if lattice is None:
            return None
        if is_too_large(lattice):
            self._refuse_tiles(photo, lattice)
            return None
        with watch("tiles"):
            taught = self.score_boards.find(photo.halves, _usual_px(lattice))
            sheet, logits = run_concurrently(
                lambda: taught or find_score_sheet(photo.halves, lattice.warp(), lattice.corners),
                lambda: self._logits(photo, lattice),
            )
            beside = exclude_sheet_squares(lattice, sheet) if sheet else lattice
            if len(beside.corners) < TILES_LEAST:
                return None
            if len(beside.corners) < len(lattice.corners):
                logits = self._logits(photo, beside)
        return Survey(photo, beside, logits, watch.laps, sheet)

    def _refuse_tiles(self, photo: Photo, lattice: Lattice) -> None:
        """Raise ReadingError `board_too_large` where some squares of a lattice tell that it has too many tiles.

        Where they do not it is a cloth, or the like, and a look at another size may see past it.
        """
        squares = list(lattice.corners)
        asked = squares[:: -(-len(squares) // SAMPLED_SQUARES)]
        shares = len(self._known(self._seen(photo, lattice, asked))) / len(asked)
        _refuse_too_large(round(shares * len(squares)))

    def _logits(self, photo: Photo, lattice: Lattice) -> TileLogits:
        """What each square of a lattice looks like, beside the table around it."""
        return apply_table_evidence(self._seen(photo, lattice, list(lattice.corners)), photo.halves, lattice)

    def _seen(self, photo: Photo, lattice: Lattice, squares: Sequence[Square]) -> TileLogits:
        """What some squares of a lattice look like by themselves."""
        quads = np.array([lattice.corners[square] for square in squares])
        image, scale = photo.halves.sized(TILE_PX / _usual_px(lattice))
        image = correct_white_balance(image, quads * scale)
        support = np.array([lattice.support[square] for square in squares])
        return classify_squares(self.classifier, self.coats, image, quads * scale, support, self.taught)

    def join(self, surveys: Sequence[Survey]) -> JoinedReading:
        """What lies on the one table of several photos; those of another table, or of none, are told apart.

        Raises ReadingError: `board_not_found` where none shows a board, `board_too_large`.
        """
        watch = _Stopwatch(self._tell)
        with watch("join"):
            joint = group_surveys(exclude_duplicate_surveys(surveys), self.catalogue)
        try:
            return self._read(joint, watch)
        except ReadingError as error:
            if not joint.apart:
                raise
            rest = self.join([survey for survey, _ in joint.apart])
            return rest.without([placed.survey.photo for placed in joint.placed], error)

    def _read(self, joint: Joint, watch: _Stopwatch) -> JoinedReading:
        _refuse_too_large(len(self._known(joint.logits)))
        with watch("legal"):
            tiles, wonders = self.tiles.read(joint.squares, joint.logits, joint.placed)
            before = 0
            while len(tiles) > before and (wider := self._looked_beside(joint, tiles)) is not joint:
                joint, before = wider, len(tiles)
                tiles, wonders = self.tiles.read(joint.squares, joint.logits, joint.placed)
        _refuse_too_large(len(tiles))
        with watch("meeples"):
            bare = Reading(*joint.placed[0].size, tiles, (), joint.placed[0].warp, {}, wonders=wonders)
            board, names = build_board(bare), Names.of(self.pieces, self.kinds)
            found = [self._pieces(placed, tiles, board) for placed in joint.placed]
            beside = update_hidden_coats(joint, found, names.poses, self.catalogue, self.twins)
            if beside is not joint:
                joint = beside
                tiles, _ = self.tiles.read(joint.squares, joint.logits, joint.placed, wonders)
                bare = replace(bare, tiles=tiles)
                board = build_board(bare)
            sightings = join_pieces(found, joint.placed)
            pieces = [sighting.piece for sighting in sightings]
            meeples, possible = read_meeples(pieces, names, bare.warp, board)
        with watch("track"):
            colours = {meeple.colour for meeple in (*meeples, *possible)}
            bare = replace(bare, track=self._track(joint.placed, tiles, found, colours))
        main = replace(bare, meeples=meeples, possible_meeples=possible, timing_ms=_laps(joint.placed, watch.laps))
        return build_joined_reading(main, joint, sightings)

    def _looked_beside(self, joint: Joint, tiles: Sequence[TileReading]) -> Joint:
        """The photos with the free squares beside the tiles: where the localiser saw nothing the last ones may lie.

        It is the very same joint where all tiles are laid, or no photo shows a square that its lattice lacks.
        """
        if self.tiles.is_whole(tiles, joint.logits):
            return joint
        beside = find_outer_neighbours([(tile.row, tile.col) for tile in tiles])
        surveys = [self._with_squares(own, beside) for own in joint.placed]
        if all(now is own.survey for now, own in zip(surveys, joint.placed, strict=True)):
            return joint
        return replace_surveys(joint, surveys, self.catalogue)

    def _with_squares(self, placed: PlacedSurvey, squares: Sequence[Square]) -> Survey:
        """What a photo tells with those of some squares of the common lattice that it shows and its own lacks."""
        survey, back = placed.survey, placed.step.inverse()
        lacking = [square for square in squares if square not in placed.index]
        shown = [back.square(square) for square, whole in zip(lacking, placed.shows(lacking), strict=True) if whole]
        lattice = add_squares(survey.lattice, shown)
        if survey.sheet:
            lattice = exclude_sheet_squares(lattice, survey.sheet)
        if len(lattice.corners) == len(survey.squares):
            return survey
        return replace(survey, lattice=lattice, logits=self._logits(survey.photo, lattice))

    def _track(
        self,
        photos: Sequence[PlacedSurvey],
        tiles: Sequence[TileReading],
        found: Sequence[Sequence[Piece]],
        colours: Collection[str],
    ) -> TrackReading | None:
        """The score board in the first photo that shows it, and tokens there.

        `found` are the pieces on the tiles that each photo shows, `colours` those that they have.
        """
        nets = PieceNets(self.finder, self.pieces)
        for number, placed in enumerate(photos):
            if placed.survey.sheet:
                read = read_track(nets, placed.survey.photo.pixels, placed.survey.sheet, colours)
                return replace(read, photo=number, tokens=self._tokens(nets, placed, tiles, found[number], read))
        return None

    def _tokens(
        self,
        nets: PieceNets,
        placed: PlacedSurvey,
        tiles: Sequence[TileReading],
        pieces: Sequence[Piece],
        track: TrackReading,
    ) -> tuple[TrackToken, ...]:
        """The tokens of points in one photo, on no tile and not on the score board, each with its owner."""
        survey, back = placed.survey, placed.step.inverse()
        squares = {back.square((tile.row, tile.col)) for tile in tiles if (tile.row, tile.col) in placed.index}
        quads = np.array([survey.lattice.corners[square] for square in squares])
        covered = np.concatenate([quads, track.corners_px[None]])
        found = self.score_tokens.find(survey.photo.halves, _usual_px(survey.lattice), covered)
        table = SeenTable(nets, survey.photo.halves, survey.lattice, squares, pieces)
        return assign_owners(table, found, {own.colour for own in track.pieces})

    def follow(self, surveys: Sequence[Survey], colours: Collection[str] = ()) -> Followed:
        """What several photos of one growing board show, in the order of time; `colours` play, if that is known.

        Raises ReadingError: `board_not_found`, `board_too_large`, `photos_out_of_order`.
        """
        timeline = build_timeline(exclude_duplicate_surveys(surveys), self.catalogue)
        _refuse_too_large(len(timeline.since))
        last = timeline.placed[-1:]
        tiles, wonders = self.tiles.read(tuple(timeline.since), timeline.logits, last)
        names = Names.of(self.pieces, self.kinds)
        moments = []
        for number, placed in enumerate(timeline.placed):
            lying = tuple(tile for tile in tiles if timeline.since[tile.row, tile.col] <= number)
            there = {(tile.row, tile.col) for tile in lying}
            built = tuple(wonder for wonder in wonders if there.issuperset(wonder.placed.squares))
            bare = Reading(*placed.size, lying, (), placed.warp, {}, wonders=built)
            board = build_board(bare)
            meeples, possible = read_meeples(self._pieces(placed, lying, board), names, placed.warp, board)
            moments.append(replace(bare, meeples=meeples, possible_meeples=possible))
        return follow_game(timeline, moments, colours)

    def _pieces(self, placed: PlacedSurvey, tiles: Sequence[TileReading], board: Board) -> list[Piece]:
        """The pieces that one photo shows on the tiles, looked for in its own lattice.

        Their kinds are looked at only where the board's boxes hold other pieces than meeples.
        """
        survey, back = placed.survey, placed.step.inverse()
        squares = sorted(back.square(s) for s in ((tile.row, tile.col) for tile in tiles) if s in placed.index)
        if not squares:
            return []
        found = self.shown(survey, squares)
        if find_board_boxes(board):
            image, scale = survey.photo.halves.sized(OUTLINE_TILE_PX / _usual_px(survey.lattice))
            found = classify_kinds(self.kinds, image, scale, survey.lattice.warp(), found)
        return [move_piece(piece, placed.step) for piece in found]

    def shown(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """The pieces on some squares of a photo's own lattice, held against each other."""
        places = weigh_presence_by_likeness(self.places(survey, squares))
        return select_shown_pieces(places, self.pieces.metadata["colours"])

    def places(self, survey: Survey, squares: Sequence[Square]) -> list[Piece]:
        """Where pieces may stand on some squares of a photo's own lattice, before they are held against each other."""
        image, scale = survey.photo.halves.sized(STAND_TILE_PX / _usual_px(survey.lattice))
        return find_possible_pieces(self.finder, self.pieces, image, scale, survey.lattice, squares)


def _refuse_too_large(tiles: int) -> None:
    """Raise ReadingError `board_too_large` for more tiles than a board has."""
    if tiles > MAX_BOARD_SQUARES:
        raise ReadingError("board_too_large", details={"squares": tiles, "most": MAX_BOARD_SQUARES})


def _usual_px(lattice: Lattice) -> float:
    """How large a tile is in the photo."""
    return float(np.median(compute_tile_px(np.array(list(lattice.corners.values())))))


def _laps(placed: Sequence[PlacedSurvey], joined: Mapping[str, float]) -> dict[str, float]:
    """Milliseconds of each stage, of all photos together; a photo alone is joined to none."""
    laps: dict[str, float] = {}
    for times in (*(own.survey.timing_ms for own in placed), joined):
        for stage, spent in times.items():
            laps[stage] = laps.get(stage, 0.0) + spent
    return laps if len(placed) > 1 else {stage: spent for stage, spent in laps.items() if stage != "join"}


class _Stopwatch:
    """Milliseconds a stage took, by its name; `tell` hears of each that starts."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.laps: dict[str, float] = {}
        self._tell = tell

    @contextmanager
    def __call__(self, stage: str) -> Iterator[None]:
        self._tell(stage)
        started = time.perf_counter()
        yield
        self.laps[stage] = self.laps.get(stage, 0.0) + (time.perf_counter() - started) * 1000
