"""Moves between photos of one game, reconstructed from the photos by the play engine."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from api.carcassonne.report.builder import build_report_tile
from api.carcassonne.report.doubted_tiles import Explained, depends_on_tiles, explain_by_tiles, widen_points
from api.carcassonne.report.growing_game import CorrectedGame, correct_game
from api.carcassonne.report.move_words import MoveTeller, translate_moves
from api.carcassonne.report.moves_schema import Move, Moves, PhotoScores, Piece, RefusedCorrection, Stretch
from api.carcassonne.report.score_track import list_track_points
from api.carcassonne.report.totals import build_totals, widen_totals
from api.documents import report as report
from api.documents.game_corrections import GameCorrection, LayTile, StandPiece
from api.documents.report import PhotoInfo
from api.errors import CorrectionError, QuestionError
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement, Problem, list_markers, mark_wonders
from scoring.carcassonne.board.box_rules import BOX_TITLES, UNSAID, BoxRules
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.board.label import list_own_wonders
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.board.square_names import find_numbered_square, name_square, name_squares
from scoring.carcassonne.board.tile_counts import count_base_games
from scoring.carcassonne.final.rulesets import Ruleset
from scoring.carcassonne.play.moves import Turn
from scoring.carcassonne.play.setup import MAX_PLAYERS, PIECES_OF_BOX, Setup
from scoring.carcassonne.play.stack import list_further_tiles
from scoring.carcassonne.reconstruct.course import Course, Facts, reconstruct_course
from scoring.carcassonne.reconstruct.course import Stretch as Played
from scoring.carcassonne.reconstruct.ledger import Conflict, Ranges
from scoring.carcassonne.reconstruct.moves import Points, Takings, Way
from scoring.carcassonne.reconstruct.text import build_record, find_open_questions
from scoring.carcassonne.record.text import format_record
from scoring.carcassonne.tiles.catalogue import find_tile_box
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour
from scoring.carcassonne.tiles.other_boxes import load_whole_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.counts import format_count
from scoring.errors import PlayError
from scoring.percent import format_likelihood
from scoring.player_colours import COLOURS, describe_unknown_colour, find_colour
from vision.errors import ReadingError
from vision.reading.values import TileAlternative, TileReading
from vision.sequence.followed import Followed
from vision.sequence.piece_history import PieceDoubt, Stay

Values = dict[str, int | str]
"""The parts of a problem's text."""
UNORDERED = 4
"""Maximum number of players whose order is found by trying all orders; more players must be named. Bounds time."""
ORDERS_TOLD = 3
"""Maximum number of player orders that a text lists; more are only counted, but the document holds all. A guess."""


@dataclass(frozen=True)
class MoveOptions:
    """Facts stated about the game; only the rules are required."""

    rules: Ruleset
    players: tuple[str, ...] = ()
    on_turn: str | None = None
    points: tuple[int, ...] = ()
    box_rules: BoxRules = UNSAID
    boxes: Mapping[str, int] = field(default_factory=dict)
    corrections: tuple[GameCorrection, ...] = ()
    wonders: int = 0
    """Wonders of each player, 1 or 2; 0 if it is not known whether there are any."""

    @classmethod
    def read(
        cls,
        players: str | None,
        on_turn: str | None,
        points: str | None,
        rules: Ruleset,
        box_rules: BoxRules = UNSAID,
        boxes: Mapping[str, int] | None = None,
        corrections: Sequence[GameCorrection] = (),
        wonders: int = 0,
    ) -> MoveOptions:
        """Parse the words of a command line; raises QuestionError (bad_players, colour_unknown)."""
        names = tuple(map(find_colour, players.split(","))) if players is not None else ()
        numbers = points.split(",") if points is not None else []
        first = None if on_turn is None else find_colour(on_turn)
        for name in (*names, *([] if first is None else [first])):
            if name and name not in COLOURS:
                raise QuestionError("colour_unknown", details=describe_unknown_colour(name))
        if players is not None and not (len(set(names) - {""}) == len(names) and 2 <= len(names) <= MAX_PLAYERS):
            raise QuestionError("bad_players", details={"players": players})
        if points is not None and (
            len(numbers) != len(names) or not all(re.fullmatch(r"\d{1,4}", n, re.ASCII) for n in numbers)
        ):
            raise QuestionError("bad_players", details={"points": points})
        if first is not None and first not in names:
            raise QuestionError("bad_players", details={"on_turn": on_turn})
        return cls(rules, names, first, tuple(map(int, numbers)), box_rules, boxes or {}, tuple(corrections), wonders)


def build_moves(photographed: Followed, options: MoveOptions) -> Moves:
    """Build the moves between photos, as corrected. Corrections that cannot be applied are listed as refused.

    Raises QuestionError (too_few_photos, players_needed), ReadingError (photos_do_not_join), PlayError (bad_start).
    """
    stated, known = _lay_stated(photographed, options), _list_known(photographed, options)
    best, others = explain_by_tiles(stated, partial(_explain, options=options), known)
    game, setup, facts, course = best.game, best.setup, best.facts, best.course
    sequence, courses = game.sequence, [other.course for other in others]
    boards = list(_list_boards(game, options))
    reconstruct = partial(reconstruct_course, sequence.boards, facts=facts, ordered=bool(options.players))
    unsaid = [*_ask_box_rules(course, sequence.boards, setup, reconstruct)]
    stretches = [_stretch(number, course, sequence, courses) for number in range(len(course.stretches))]
    _count_rounds(stretches, len(course.players))
    record, ends = _record(course, sequence, setup, game.owners)
    of_all = [
        *_list_changed_photos(sequence),
        *_doubts(sequence),
        *_list_possible_wonders(sequence),
        *_ask_owners(sequence, course),
        *_of_players(course, options),
        *_list_differing_points(course, facts, sequence),
        *_list_passed_turns(course, facts, sequence),
        *unsaid,
        *ends,
    ]
    moves = Moves(
        rules=options.rules.name,
        orders=[list(order) for order in course.orders],
        origin=sequence.origin,
        photos=[PhotoInfo.copy_of(photo) for photo in sequence.photos],
        boards=list(map(format_notation, boards)),
        stretches=stretches,
        scores=list(_scores(course, widen_points(course, courses))),
        totals=widen_totals(best.totals, (other.totals for other in others)),
        settled=all(stretch.settled for stretch in stretches) and not (unsaid or course.contradicted or course.passed),
        open=of_all,
        record=record,
        set_aside=[*_list_set_aside(sequence), *_list_left_aside(photographed, sequence)],
        refused=list(_list_refused(game, course, options.corrections)),
        wonders=[dict(entry) for entry in list_own_wonders(sequence.boards[-1])],
        views=[view.ravel().tolist() for view in sequence.views],
    ).name_squares(sequence.origin)
    return translate_moves(moves, "en")


def _explain(photographed: Followed, options: MoveOptions) -> Explained:
    """Work out the moves of a game; raises the errors of `build_moves`."""
    game = correct_game(photographed, options.corrections, options.players, options.wonders > 0)
    sequence = game.sequence
    if len(sequence.photos) < 2:
        raise _alone(sequence)
    boards = [*_list_boards(game, options)]
    setup = _setup(boards, options, game)
    facts = _gather_facts(game, photographed, options, setup.players)
    course = reconstruct_course(sequence.boards, setup, facts, bool(options.players))
    if course.passed and 0 not in game.turns:  # the turn that is corrected now may have been wrong from the start
        other = reconstruct_course(sequence.boards, setup, replace(facts, on_turn=None), bool(options.players))
        course = min(course, other, key=lambda one: len(one.passed))
    totals = build_totals(course, _mark_by_layers(boards[-1], course), setup.rules)
    return Explained(photographed, game, setup, facts, course, totals)


def _list_boards(game: CorrectedGame, options: MoveOptions) -> Iterator[Board]:
    """Yield the boards of a game with the boxes and their rules as stated."""
    return (replace(board, box_rules=options.box_rules, boxes=options.boxes) for board in game.sequence.boards)


def _lay_stated(photographed: Followed, options: MoveOptions) -> Followed:
    """Return the game with the tiles that a person has stated where others were read: its pieces are traced by them."""
    read = {tile.square for tile in photographed.tiles if tile.cell is None}
    game = photographed
    for correction in options.corrections:
        if not isinstance(correction, LayTile) or correction.tile is None or correction.photo is not None:
            continue
        square = find_numbered_square(correction.square, photographed.origin)
        if square in read and correction.tile in load_whole_catalogue():
            game = game.lay(square, Placement(correction.tile, correction.turns))
    return replace(game, first_square=photographed.origin)


def _list_known(photographed: Followed, options: MoveOptions) -> set[Square]:
    """List the squares whose tile or piece a person has stated."""
    of_squares = (correction for correction in options.corrections if isinstance(correction, (LayTile, StandPiece)))
    stated = (correction.square for correction in of_squares)
    return {find_numbered_square(square, photographed.origin) for square in stated}


def refuse_corrections(moves: Moves) -> None:
    """Raise CorrectionError for the first correction that was not applied, if any."""
    if moves.refused:
        first = moves.refused[0]
        raise CorrectionError(first.code, first.text, {**first.details, "correction": first.correction})


def _gather_facts(game: CorrectedGame, photographed: Followed, options: MoveOptions, players: Sequence[str]) -> Facts:
    """Return what was stated about a game, and what its score tracks show; a game begins at 0 with its start tile.

    Statements about the first photo do not hold for a later one.
    """
    points, sequence = dict(game.points), game.sequence
    is_begun = len(sequence.boards[0].tiles) > 1
    is_late = is_begun and (photographed.lacks_first or sequence.photos[0].file != photographed.photos[0].file)
    read = {
        number: list_track_points(track, sequence.boards[number], players, options.rules)
        for number, track in enumerate(sequence.tracks)
        if track is not None
    }
    stated = {} if is_late else dict(zip(options.players, options.points, strict=False))
    known = {0: stated if is_begun or stated else dict.fromkeys(players, 0)}
    complete = next((number for number, there in read.items() if there.keys() == {*players}), None)
    if complete is not None and not known[0]:
        known[complete] = {player: likeliest for player, (likeliest, *_) in read[complete].items()}
    for number, there in known.items():
        points[number] = {**there, **points.get(number, {})}
    by_photo = {
        number: {p: frozenset(each) for p, each in there.items() if p not in points.get(number, {})}
        for number, there in read.items()
    }
    takings = Takings(frozenset(game.untaken), game.taken, photographed=sequence.photographed)
    start = None if not points[0] and (is_late or complete) else 0
    on_turn = game.turns.get(0, None if is_late else options.on_turn)
    return Facts(on_turn, points, takings, by_photo, start, game.turns)


def _list_left_aside(photographed: Followed, corrected: Followed) -> Iterator[report.SetAside]:
    for photo in photographed.photos:
        if photo not in corrected.photos:
            yield report.SetAside(file=photo.file, reason="left_aside")


def _list_refused(
    game: CorrectedGame, course: Course, corrections: Sequence[GameCorrection]
) -> Iterator[RefusedCorrection]:
    """Yield the corrections that were not applied, or make no difference, in their order."""
    refused = dict(game.refused)
    for square in course.idle & game.sources.keys():
        code = "taking_impossible" if square in game.taken else "nothing_assumed"
        named = name_square(square, game.sequence.origin)
        refused[game.sources[square]] = CorrectionError(code, details={"square": square, "named": named})
    for number, error in sorted(refused.items()):
        kind = corrections[number].kind
        yield RefusedCorrection(correction=number, kind=kind, code=error.code, text=error.text, details=error.details)


def _list_differing_points(course: Course, facts: Facts, sequence: Followed) -> Iterator[report.Problem]:
    """Yield the points that were stated, or read from a score track, and that no way gives."""
    for (number, player), conflict in sorted(course.contradicted.items()):
        points, photo = facts.points[number][player], sequence.photos[number].file
        since, possible = sequence.photos[conflict.since].file, _format_possible(conflict, points)
        text = f"{player} is said to have {format_count(points, 'point')} at {photo}, but with {conflict.before} at "
        text += f"{since} the moves give {possible}; the points are counted on from {points}"
        values: dict[str, int | str] = {"player": player, "points": points, "photo": photo}
        values |= {"since": since, "before": conflict.before, "possible": possible}
        yield report.Problem(code="points_differ", tiles=[], text=text, values=values)
    for number, player in sorted(course.unheeded):
        photo = sequence.photos[number].file
        text = f"the score track at {photo} shows points for {player} that the moves do not give"
        yield report.Problem(code="track_differs", tiles=[], text=text, values={"player": player, "photo": photo})


def _list_passed_turns(course: Course, facts: Facts, sequence: Followed) -> Iterator[report.Problem]:
    """Yield the turns that were stated to be another player's than the moves give."""
    for number, other in course.passed.items():
        player, photo = facts.turns[number], sequence.photos[number].file
        yield _word("turn_differs", {"player": player, "photo": photo, "other": other})


def _format_possible(conflict: Conflict, points: int) -> str:
    """Format the points that are possible instead, alike in each language: `4-9`, or `4, 9` around those stated."""
    low, high = conflict.possible[0], conflict.possible[-1]
    if conflict.or_more:
        return f"≥ {low}"
    if low == high:
        return str(low)
    return ", ".join(map(str, conflict.possible)) if low < points < high else f"{low}-{high}"


def _list_set_aside(sequence: Followed) -> Iterator[report.SetAside]:
    """Yield the photos of another board, and those that fit nowhere among the others."""
    for error in sequence.apart:
        yield report.SetAside(file=error.details["file"], reason=error.code)
    for photo, error in sequence.set_aside:
        yield report.SetAside(file=photo.file, reason=error.code)


def _list_changed_photos(sequence: Followed) -> Iterator[report.Problem]:
    """Yield the photos that were put before others, as their tiles demand, and a last one without its pieces."""
    files = [photo.file for photo in sequence.photos]
    for number in sequence.moved:
        place, near = ("after", files[number - 1]) if number else ("before", files[1])
        yield _word("photo_moved", {"photo": files[number], "where": place, "near": near})
    if sequence.cleared:
        pieces = format_count(sequence.cleared, "piece that stood", "pieces that stood")
        text = f"{files[-1]} shows none of the {pieces} before: they were cleared away, and count as before"
        yield report.Problem(code="pieces_cleared", tiles=[], text=text)


def _alone(sequence: Followed) -> Exception:
    if sequence.set_aside:
        return sequence.set_aside[0][1]
    if not sequence.apart:
        return QuestionError("too_few_photos", details={"photos": [photo.file for photo in sequence.photos]})
    files = [photo.file for photo in sequence.photos] + [error.details["file"] for error in sequence.apart]
    return ReadingError(
        "photos_do_not_join", "The photos show no one board.", {**sequence.apart[0].details, "all": files}
    )


def _setup(boards: Sequence[Board], options: MoveOptions, game: CorrectedGame) -> Setup:
    last = boards[-1]
    typed = {colour for points in game.points.values() for colour in points}
    colours = tuple(sorted({colour for board in boards for colour in board.players} | typed))
    players = options.players or colours
    if not len(players) >= 2 or (not options.players and len(players) > UNORDERED):
        raise QuestionError("players_needed", details={"seen": list(colours)})
    kinds = {piece.kind for board in boards for piece in board.meeples if not board.is_marker(piece)}
    of_pieces = (box for box, box_kinds in PIECES_OF_BOX.items() if not kinds.isdisjoint(box_kinds))
    boxes = [*["base"] * count_base_games(last), *dict.fromkeys([*last.expansions, *of_pieces])]
    owners = Counter(piece.colour for piece in last.meeples if last.is_marker(piece))
    each = max(options.wonders, 2 if max(owners.values(), default=0) > 1 else 1)
    wonders = tuple(WONDERS) if last.wonders or options.wonders else ()
    further = list_further_tiles(tuple(boxes), (placement for _, placement in last.known))
    return Setup(players, tuple(boxes), wonders, each, options.rules, box_rules=options.box_rules, further=further)


def _doubts(sequence: Followed) -> Iterator[report.Problem]:
    """Yield the possible misreadings of the photos."""
    for tile in sequence.tiles:
        if tile.doubtful:
            yield _word("doubtful_tile", _list_possible_tiles(tile, sequence), tile.square)
    for square in sorted(sequence.unsure):
        text = "the tile may have been laid before another photo than it seems"
        yield _build_problem(Problem("doubtful_time", (square,), text), sequence.origin)
    for doubt in sequence.doubts:
        case = "assumed" if doubt.square in sequence.assumed else "seen"
        values: Values = {"case": case, "percent": round(100 * doubt.probability)}
        values |= _name_stay("read", doubt.read, doubt, sequence) | _name_stay(
            "instead", doubt.instead, doubt, sequence
        )
        yield _word("doubtful_piece", values, doubt.square)


def _list_possible_wonders(sequence: Followed) -> Iterator[report.Problem]:
    """Yield the wonders that may lie where other tiles were read."""
    for wonder in sequence.possible_wonders:
        text = f"{wonder.placed.layout.name} may lie here ({format_likelihood(wonder.probability)}), on "
        text += name_squares(wonder.placed.squares, sequence.origin)
        squares = list(wonder.placed.squares)
        yield report.Problem(code="possible_wonder", tiles=squares, text=text)


def _list_possible_tiles(tile: TileReading, sequence: Followed) -> Values:
    """Return what is taken to lie on a square in doubt, numbered 0, and what else may lie there."""
    possible = dict(enumerate(tile.alternatives[:2], 1))
    if tile.tile is not None:
        possible[0] = TileAlternative(tile.tile, tile.turns, tile.confidence)
    values: Values = {"case": "unknown" if tile.tile is None else "out" if tile.square in sequence.left_out else "read"}
    for number, one in possible.items():
        values |= {
            f"tile{number}": one.tile,
            f"turns{number}": one.turns,
            f"percent{number}": round(100 * one.probability),
        }
    return values


def _word(code: str, values: Values, *squares: Square) -> report.Problem:
    """Return a problem whose text is made from its values in every language."""
    return report.Problem(code=code, tiles=[*squares], text="", values=values)


def _build_problem(problem: Problem, origin: Square) -> report.Problem:
    """Build the document's entry of a problem, with its first square in front of the text unless that names it."""
    names_square = not problem.squares or "row" in problem.values
    text = problem.text if names_square else f"{name_square(problem.squares[0], origin)}: {problem.text}"
    return report.Problem(code=problem.code, tiles=[*problem.squares], text=text, values={**problem.values})


def _name_stay(name: str, stay: Stay | None, doubt: PieceDoubt, sequence: Followed) -> Values:
    """Return the colour, kind and place of a piece in doubt as values of a text; none for no piece."""
    if stay is None:
        return {}
    placement = sequence.boards[-1].tiles[doubt.square]
    assert placement is not None
    place = name_segment(placement.layout, placement.turns, stay.segment)
    return {f"{name}_colour": stay.colour, f"{name}_piece": stay.kind, f"{name}_place": place}


def _of_players(course: Course, options: MoveOptions) -> Iterator[report.Problem]:
    if not options.players:
        text = (
            f"the players were not named: they are assumed to be {', '.join(course.players)}, whose meeples are visible"
        )
        yield report.Problem(code="players_not_named", tiles=[], text=text)
    if len(course.orders) > 1:
        orders = " or ".join(map(", ".join, course.orders))
        if len(course.orders) > ORDERS_TOLD:
            orders = f"{len(course.orders)} orders of the players are possible"
        yield report.Problem(
            code="on_turn", tiles=[], text=f"the player on turn at the first photo is unknown: {orders}"
        )


def _ask_box_rules(
    course: Course,
    boards: Sequence[Board],
    setup: Setup,
    reconstruct: Callable[[Setup], Course],
) -> Iterator[report.Problem]:
    """Yield the question whether a box's rules were played, if a wonder is on the board and the moves depend on it."""
    format_ranges = MoveTeller("en", {}, boards[0].origin).format_ranges
    for box in setup.box_rules.unsaid if boards[-1].wonders else ():
        if not any(find_tile_box(tile.tile) == box for _, tile in boards[-1].known) and not any(
            piece.kind in PIECES and PIECES[piece.kind].box == box for board in boards for piece in board.meeples
        ):
            continue
        without = reconstruct(replace(setup, box_rules=setup.box_rules.turn_off([box])))
        if [{*stretch.ways} for stretch in without.stretches] == [{*stretch.ways} for stretch in course.stretches]:
            continue
        played, plain = (each.points[-1] for each in (course, without))
        text = f"did you play with the rules of {BOX_TITLES[box]}? "
        text += f"With them (as counted here): {format_ranges(played)}; without them: {format_ranges(plain)} "
        text += f"(say it with --box-rules {box}=on or {box}=off)"
        yield report.Problem(code="box_rules_unsaid", tiles=[], text=text, values={"box": box})


def _ask_owners(sequence: Followed, course: Course) -> Iterator[report.Problem]:
    """Yield the wonders whose owner neither a marker nor the turns show."""
    board, layers = sequence.boards[-1], course.list_layers()
    for wonder in board.wonders:
        if not list_markers(board, wonder) and len(layers.get(wonder.layout.id, {})) != 1:
            text = f"no player's piece is visible on {wonder.layout.name}: who owns it?"
            values = {"wonder": wonder.layout.id}
            yield _build_problem(Problem("wonder_unmarked", wonder.squares[:1], text, values), sequence.origin)


def _mark_by_layers(board: Board, course: Course) -> Board:
    """Return the board with markers of the likeliest players on wonders that have none."""
    layers = course.list_layers()
    unmarked = [wonder.layout.id for wonder in board.wonders if not list_markers(board, wonder)]
    return mark_wonders(board, {id: next(iter(layers[id])) for id in unmarked if id in layers})


def _record(
    course: Course, sequence: Followed, setup: Setup, owners: Mapping[str, str]
) -> tuple[str, list[report.Problem]]:
    try:
        record, ends = build_record(course, sequence.boards[0], setup, owners)
    except PlayError as error:
        text = f"no record can be written: {error.text}"
        return "", [report.Problem(code="record_ends", tiles=[], text=text)]
    return format_record(record), [_build_problem(end, sequence.origin) for end in ends]


def _stretch(number: int, course: Course, sequence: Followed, others: Sequence[Course]) -> Stretch:
    played: Played = course.stretches[number]
    way = course.line[number] or Way()
    after, assumed = sequence.boards[number + 1], played.list_assumed(way)
    return Stretch(
        photos=(number, number + 1),
        moves=[_move(turn, after, any(turn is other for other, _ in assumed)) for turn in way.turns],
        assumed=len(assumed),
        possible=[_by_player(course.players, points) for points in played.ways],
        gains=dict(played.gains) if played.gains is not None else None,
        settled=played.is_settled
        and not sequence.unsure
        and _doubted(sequence).isdisjoint(_concerned(played, after))
        and not depends_on_tiles(number, course, others),
        open=[_build_problem(one, sequence.origin) for one in find_open_questions(played, sequence.origin, way)],
    )


def _count_rounds(stretches: Sequence[Stretch], players: int) -> None:
    """Number the rounds; both halves of a builder's double turn are one turn."""
    turns = 0
    for move in (move for stretch in stretches for move in stretch.moves):
        move.round = turns // players + 1
        turns += not move.again


def _doubted(sequence: Followed) -> set[Square]:
    """Return the squares with a doubt about their tile or piece."""
    possible = {square for wonder in sequence.possible_wonders for square in wonder.placed.squares}
    return possible | {tile.square for tile in sequence.tiles if tile.doubtful} | {d.square for d in sequence.doubts}


def _concerned(played: Played, after: Board) -> set[Square]:
    """Return the squares of all tiles laid and features extended, with their neighbours; farms do not matter yet."""
    tile_squares = {square for tile in played.tiles for square in tile.placements}
    feature_squares = {
        s
        for f in build_feature_map(after)
        if f.kind != "field" and not tile_squares.isdisjoint(f.squares)
        for s in f.squares
    }
    return (
        feature_squares
        | tile_squares
        | {get_neighbour(square, side) for square in feature_squares | tile_squares for side in SIDES}
    )


def _by_player(players: tuple[str, ...], points: Points) -> dict[str, int]:
    return dict(zip(players, points, strict=True))


def _move(turn: Turn, board: Board, is_assumed: bool) -> Move:
    move = turn.move
    tiles = (move.extra, move.tile) if move.extra else (move.tile,)
    placements = {square: placement for tile in tiles for square, placement in tile.placements.items()}
    return Move(
        player=move.player,
        tiles=[build_report_tile(square, placement) for square, placement in placements.items()],
        pieces=[_piece(move.player, s.kind, s.square, s.segment, placements[s.square]) for s in move.stands],
        back=[_returned(piece, board) for piece in turn.returned],
        scores=list(map(report.Entry.copy_of, turn.entries)),
        marker=None if move.marker.kind == "meeple" else move.marker.kind,
        goods={kind: number for kind, number in turn.goods.items() if number},
        again=turn.again,
        assumed=is_assumed,
    )


def _returned(piece: PlacedMeeple, board: Board) -> Piece:
    placement = board.tiles[piece.square]
    assert placement is not None
    assert piece.segment is not None
    return _piece(piece.colour, piece.kind, piece.square, piece.segment, placement)


def _piece(colour: str, kind: str, square: Square, segment: int, placement: Placement) -> Piece:
    return Piece(colour=colour, kind=kind, tile=square, on=name_segment(placement.layout, placement.turns, segment))


def _scores(course: Course, ranges: Sequence[Ranges | None]) -> Iterator[PhotoScores]:
    for photo, (points, likeliest) in enumerate(zip(ranges, course.likeliest, strict=True)):
        yield PhotoScores(photo=photo, points=None if points is None else dict(points), likeliest=dict(likeliest))
