"""All problems of a board, as values: a board from a photo is scored whatever it holds, with its problems reported."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

from scoring.carcassonne.board.board import Board, PlacedWonder, Problem
from scoring.carcassonne.board.boxes import count_supply
from scoring.carcassonne.board.features import Feature, FeatureMap, build_feature_map, find_cut_features
from scoring.carcassonne.board.pieces import NEEDS_COMPANY, PIECES, count_pieces, get_piece_strength
from scoring.carcassonne.board.tile_counts import (
    count_base_games,
    count_base_tiles,
    count_lacking_tiles,
    count_laid_tiles,
)
from scoring.carcassonne.tiles.catalogue import load_base_catalogue
from scoring.carcassonne.tiles.expansions import EXPANSIONS, find_piece_expansion, find_tile_expansion
from scoring.carcassonne.tiles.geometry import SIDES, Square, get_neighbour, get_opposite_side
from scoring.carcassonne.tiles.layout import TileLayout, may_adjoin
from scoring.connected_squares import group_connected_squares
from scoring.counts import format_count
from scoring.score_entry import Values

MAX_WONDERS = 2
"""By the rules: 2 with the variant "2 wonders per player", otherwise 1."""


NEVER_TRUE = frozenset({"too_many_meeples", "disputed_wonder", "too_many_wonders", "too_many_players"})
"""Problems that no game played by the rules can end with, reported before all others. Each player's pieces are counted,
a wonder keeps its one marker to the end, no player has more than 2 wonders, and no player has 2 colours.
"""


def find_problems(board: Board, in_play: int | None = None, players: int | None = None) -> tuple[Problem, ...]:
    """Return all problems of a board, given the number of tiles in play and of players if known.

    Problems that can never be true come first, whatever their cause. If the number of base games is not stated
    (`board.boxes`), it follows from the tiles, and further games are the only problem of supply. Codes: edge_mismatch,
    more_than_the_box, island, broken_wonder, beyond_the_picture, meeple_without_tile, meeple_without_feature,
    too_many_meeples, tile_unknown, tile_not_scored, box_not_scored, piece_not_scored, impossible_meeple, lonely_piece,
    unmarked_wonder, disputed_wonder, too_many_wonders, too_many_players, complete_but_occupied, tiles_lacking,
    several_base_games, several_boxes.
    """
    features, games = build_feature_map(board), count_base_games(board)
    problems = (
        *find_edge_mismatches(board),
        *(tuple(_find_further_games(board, games)) or _find_excess_tiles(board, games)),
        *_find_islands(board),
        *_find_broken_wonders(board),
        *_find_border_tiles(board, in_play),
        *_find_lost_meeples(board),
        *_find_excess_meeples(board, games),
        *_find_unknown_tiles(board, features),
        *_find_unscored_boxes(board),
        *_find_unscored_pieces(board),
        *_find_impossible_meeples(board, features),
        *_find_lonely_pieces(board, features),
        *_find_badly_marked_wonders(board, features),
        *_find_excess_wonders(features),
        *_find_excess_players(board, players),
        *_find_occupied_complete_features(features),
        *_find_missing_tiles(board, in_play),
    )
    return tuple(sorted(problems, key=lambda problem: problem.code not in NEVER_TRUE))


def find_impossible(board: Board, players: int | None = None) -> Iterator[Problem]:
    """Yield only the problems of `find_problems` that can never be true (`NEVER_TRUE`)."""
    yield from _find_excess_meeples(board, count_base_games(board))
    if board.wonders:
        features = build_feature_map(_select_wonders(board))
        marking = _find_badly_marked_wonders(board, features)
        yield from (problem for problem in marking if problem.code in NEVER_TRUE)
        yield from _find_excess_wonders(features)
    yield from _find_excess_players(board, players)


def _select_wonders(board: Board) -> Board:
    """Return a board of only the wonders and the pieces on them; wonders join no other feature."""
    tiles = {square: tile for square, tile in board.known if tile.wonder is not None}
    meeples = tuple(meeple for meeple in board.meeples if meeple.square in tiles)
    return replace(board, tiles=tiles, meeples=meeples)


def find_edge_mismatches(board: Board) -> Iterator[Problem]:
    """Yield the borders between tiles where different kinds of land meet."""
    for square, placement in board.known:
        for side in ("E", "S"):
            other = get_neighbour(square, side)
            facing = board.tiles.get(other)
            if facing is None:
                continue
            here, there = placement.edge(side), facing.edge(get_opposite_side(side))
            if not may_adjoin(here, there):
                text = f"a {here} and a {there} meet between {board.name_square(square)} and {board.name_square(other)}"
                yield Problem("edge_mismatch", (square, other), text, {"here": here, "there": there})


def _find_further_games(board: Board, games: int) -> Iterator[Problem]:
    """Yield one problem if there seems to be more than one base game, and nobody stated how many there are."""
    if games > 1 and "base" not in board.boxes:
        counts = count_base_tiles()
        squares = tuple(square for square, placement in board.known if placement.tile in counts)
        one_game = sum(counts.values())
        text = f"{games} base games seem to lie here: there are {len(squares)} of their tiles, and one has {one_game}"
        yield Problem("several_base_games", (), text, {"games": games, "tiles": len(squares), "held": one_game})


def _find_excess_tiles(board: Board, games: int) -> Iterator[Problem]:
    """Yield tiles beyond the contents of the boxes; each garden tile and each wonder exists once in a box."""
    layouts, base, copies = dict[str, TileLayout](), load_base_catalogue(), {**board.boxes, "base": games}
    squares, gardens = defaultdict(list), defaultdict(list)
    for square, placement in board.known:
        if placement.wonder is None:
            squares[placement.tile].append(square)
            layouts[placement.tile] = placement.layout
        if placement.garden:
            gardens[placement.layout.id].append(square)
    too_many: list[Problem] = []
    for tile, places in squares.items():
        layout = layouts[tile]
        name = f"{layout.letter} ({tile})" if layout.letter else tile
        too_many += _report_excess(tile, name, count_supply(layout, copies), places)
    yield from _sum_up(too_many)
    for tile, places in gardens.items():
        yield from _report_excess(tile, tile, games if tile in base else 1, places)
    wonders: dict[str, list[PlacedWonder]] = defaultdict(list)
    for wonder in board.wonders:
        wonders[wonder.layout.id].append(wonder)
    for placed in wonders.values():
        laid = [square for wonder in placed for square in wonder.squares]
        wonder_layout = placed[0].layout
        yield from _report_excess(wonder_layout.id, wonder_layout.name, 1, laid, len(placed))


def _sum_up(too_many: list[Problem]) -> Iterator[Problem]:
    """Yield excess tiles of one kind as they are, of several kinds as one problem."""
    if len(too_many) < 2:
        yield from too_many
        return
    squares = tuple(sorted(square for problem in too_many for square in problem.squares))
    text = f"more tiles of {len(too_many)} kinds lie here than their boxes hold: two copies of a box, or another box"
    yield Problem("several_boxes", squares, text, {"kinds": len(too_many)})


def _report_excess(
    tile: str, name: str, box_count: int, squares: Sequence[Square], number: int | None = None
) -> Iterator[Problem]:
    number = len(squares) if number is None else number
    if number > box_count:
        text = f"{number} tiles {name}, where there are only {box_count}"
        yield Problem("more_than_the_box", tuple(squares), text, {"number": number, "tile": tile, "held": box_count})


def _find_islands(board: Board) -> Iterator[Problem]:
    """Yield every connected group of tiles except the largest."""
    groups = sorted(group_connected_squares(board.tiles), key=len, reverse=True)
    for group in groups[1:]:
        text = format_count(len(group), "of the tiles touches", "of the tiles touch") + " none of the others"
        yield Problem("island", tuple(sorted(group)), text, {"tiles": len(group)})


def _find_broken_wonders(board: Board) -> Iterator[Problem]:
    for wonder in board.wonders:
        here = tuple(square for square, placement in wonder.placements.items() if board.tiles.get(square) == placement)
        if len(here) < len(wonder.squares):
            name = wonder.layout.name
            lying = format_count(len(here), f"square of {name} lies", f"squares of {name} lie")
            text = f"{lying} here, where the tile has {len(wonder.squares)}"
            yield Problem("broken_wonder", here, text, {"squares": len(here), "wonder": wonder.layout.id})


def _find_border_tiles(board: Board, in_play: int | None) -> Iterator[Problem]:
    """Yield tiles at the border of the view: the board may continue there, unless all tiles in play are seen."""
    if in_play == len(board.tiles):
        return
    at_border = tuple(
        square for square in board.tiles if any(get_neighbour(square, side) in board.unseen for side in SIDES)
    )
    if at_border:
        text = format_count(len(at_border), "tile lies", "tiles lie")
        text += " at the border of the picture, or too far away to see past: what lies beyond is not counted"
        yield Problem("beyond_the_picture", at_border, text, {"tiles": len(at_border)})


def _find_missing_tiles(board: Board, in_play: int | None) -> Iterator[Problem]:
    """Yield a problem if a few tiles of the games are missing."""
    if lacking := count_lacking_tiles(board, in_play):
        whole = count_laid_tiles(board) + lacking
        of_all = f"of the {whole} tiles of the game"
        text = format_count(lacking, f"{of_all} does not lie", f"{of_all} do not lie") + " here: overlooked, perhaps"
        yield Problem("tiles_lacking", (), text, {"tiles": lacking, "whole": whole})


def _find_lost_meeples(board: Board) -> Iterator[Problem]:
    for meeple in board.meeples:
        if meeple.square not in board.tiles:
            text = f"a {meeple.colour} meeple at {board.name_square(meeple.square)}, where no tile lies"
            yield Problem("meeple_without_tile", (meeple.square,), text, {"colour": meeple.colour})
        elif meeple.segment is None and not meeple.is_neutral:
            text = f"a {meeple.colour} meeple at {board.name_square(meeple.square)} stands on no known feature"
            yield Problem("meeple_without_feature", (meeple.square,), text, {"colour": meeple.colour})


def _find_excess_meeples(board: Board, games: int) -> Iterator[Problem]:
    """Yield players with more pieces than they have. Markers do not count: they come with the wonders."""
    on_board = [meeple for meeple in board.meeples if not board.is_marker(meeple)]
    for (colour, kind), count in sorted(Counter((meeple.colour, meeple.kind) for meeple in on_board).items()):
        if kind in PIECES and count > (most := count_pieces(kind, games)):
            squares = tuple(meeple.square for meeple in on_board if (meeple.colour, meeple.kind) == (colour, kind))
            name = "meeples" if kind == "meeple" else f"{kind} pieces"
            text = f"{count} {colour} {name}, where a player has {most} to place"
            values: Values = {"number": count, "colour": colour, "piece": kind, "most": most}
            yield Problem("too_many_meeples", squares, text, values)


def _find_unknown_tiles(board: Board, features: FeatureMap) -> Iterator[Problem]:
    """Yield unknown tiles; features that run into one are scored as unfinished."""
    for square, cut in find_cut_features(board, features).items():
        foreign = board.foreign.get(square)
        names = ", ".join(feature.name for feature in cut)
        further = f"; {names} may go on there and count only as far as known" * bool(cut)
        if foreign:
            box = find_tile_expansion(foreign.tile) or ""
            text = f"the tile {foreign.tile} at {board.name_square(square)} is of {box}, which is not scored here"
            values: Values = {"tile": foreign.tile, "box": box, "features": names}
            yield Problem("tile_not_scored", (square,), text + further, values)
        else:
            text = f"the tile at {board.name_square(square)} is not known and scores nothing"
            yield Problem("tile_unknown", (square,), text + further, {"features": names})


def _find_unscored_boxes(board: Board) -> Iterator[Problem]:
    """Yield the boxes whose tiles lie here and whose own rules at the end of a game are not scored."""
    squares = defaultdict(list)
    for square, placement in board.known:
        if placement.layout.box:
            squares[find_tile_expansion(placement.tile)].append(square)
    for expansion in EXPANSIONS:
        if expansion.at_end == "unscored" and expansion.name in squares:
            text = (
                f"the tiles of {expansion.name} count as land: its own rules for the end of a game are not scored here"
            )
            yield Problem("box_not_scored", tuple(squares[expansion.name]), text, {"box": expansion.name})


def _find_unscored_pieces(board: Board) -> Iterator[Problem]:
    """Yield pieces of boxes that are not scored; one that marks a wonder counts as its marker."""
    for meeple in board.meeples:
        if meeple.kind not in PIECES and not board.is_marker(meeple):
            box = find_piece_expansion(meeple.kind) or "an expansion"
            whose = "a" if meeple.is_neutral else f"a {meeple.colour}"
            text = f"{whose} {meeple.kind} at {board.name_square(meeple.square)} is of {box}, which is not scored here"
            yield Problem("piece_not_scored", (meeple.square,), text, {"piece": meeple.kind, "box": box})


def _find_impossible_meeples(board: Board, features: FeatureMap) -> Iterator[Problem]:
    for meeple in board.meeples:
        feature = features.under(meeple)
        if feature is None or meeple.kind not in PIECES:
            continue
        below = feature.kind
        wrong_place = below != "wonder" and below not in PIECES[meeple.kind].stands_on
        if wrong_place or (get_piece_strength(meeple.kind) and not _may_stand_so(meeple.pose, feature)):
            where = f"at {board.name_square(meeple.square)} cannot be {meeple.pose} on a {below}"
            text = f"a {meeple.colour} {meeple.kind} {where}"
            values = {"colour": meeple.colour, "piece": meeple.kind, "pose": meeple.pose, "below": below}
            yield Problem("impossible_meeple", (meeple.square,), text.replace("_", " "), values)


def _may_stand_so(pose: str, feature: Feature) -> bool:
    """Return whether a piece may have this pose: a marker may have any. Otherwise only farmers and abbots of special
    monasteries lie, though some tables leave farmers standing, and no piece is upside down.
    """
    if pose == "lying":
        return feature.kind in ("field", "wonder") or bool(feature.abbots)
    return feature.kind == "wonder" or pose != "upside_down"


def _find_lonely_pieces(board: Board, features: FeatureMap) -> Iterator[Problem]:
    for meeple in board.meeples:
        feature = features.under(meeple)
        if meeple.kind not in NEEDS_COMPANY or feature is None or feature.kind == "wonder":
            continue
        if not any(other.colour == meeple.colour and get_piece_strength(other.kind) for other in feature.pieces):
            text = f"a {meeple.colour} {meeple.kind} at {board.name_square(meeple.square)} stands where "
            text += f"no {meeple.colour} meeple stands"
            yield Problem("lonely_piece", (meeple.square,), text, {"colour": meeple.colour, "piece": meeple.kind})


def _find_badly_marked_wonders(board: Board, features: FeatureMap) -> Iterator[Problem]:
    """Yield wonders with no marker or with several, except those that a person said are unowned."""
    for feature in features:
        if feature.kind == "wonder" and not feature.meeples:
            if feature.placements[0].tile in board.unowned:
                continue
            text = f"no marker stands on {feature.name}: it scores for nobody"
            yield Problem("unmarked_wonder", feature.squares, text, {"wonder": feature.placements[0].tile})
        elif feature.kind == "wonder" and sum(feature.meeples.values()) > 1:
            markers = sum(feature.meeples.values())
            text = f"{markers} markers stand on {feature.name}, which has one owner"
            values: Values = {"markers": markers, "wonder": feature.placements[0].tile}
            yield Problem("disputed_wonder", feature.squares, text, values)


def _find_excess_wonders(features: FeatureMap) -> Iterator[Problem]:
    marked = [(feature.owner, feature) for feature in features if feature.owner is not None]
    for player, number in sorted(Counter(player for player, _ in marked).items()):
        if number > MAX_WONDERS:
            squares = tuple(square for owner, feature in marked if owner == player for square in feature.squares)
            text = f"{player} has marked {number} wonders, where two are the most"
            yield Problem("too_many_wonders", squares, text, {"player": player, "wonders": number})


def _find_excess_players(board: Board, players: int | None) -> Iterator[Problem]:
    """Yield a problem if there are more colours than players."""
    if players is not None and len(board.players) > players:
        colours = ", ".join(board.players)
        text = f"pieces of {len(board.players)} colours stand here ({colours}), where {players} played"
        values: Values = {"number": len(board.players), "most": players}
        yield Problem("too_many_players", tuple(meeple.square for meeple in board.meeples), text, values)


def _find_occupied_complete_features(features: FeatureMap) -> Iterator[Problem]:
    """Yield complete features that still hold meeples. They are scored as complete: the meeples were not taken back."""
    for feature in features:
        if feature.complete and feature.pieces:
            squares = tuple(sorted({meeple.square for meeple in feature.pieces}))
            text = f"the {feature.kind} {feature.name} is complete, and meeples still stand on it"
            yield Problem("complete_but_occupied", squares, text, {"kind": feature.kind, "feature": feature.name})
