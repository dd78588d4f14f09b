"""Possible mistakes of a reading, as other boards that scoring can compare with it, with calibrated probabilities.

A meeple that may be another player's with a probability of 0.3, say, turns out so far less often. Two numbers per kind
of doubt calibrate its probabilities. `python -m models.calibration.doubt` fits them on art that is neither trained on
nor measured.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import count
from typing import Literal

from scoring.calibration import apply_scaling, load_platt_scalings, load_weights
from scoring.carcassonne.board.board import Board, PlacedMeeple, Placement
from scoring.carcassonne.board.features import build_feature_map
from scoring.carcassonne.doubt.kinds.base import Alternative
from scoring.carcassonne.doubt.kinds.marker import UnseenMarker
from scoring.carcassonne.doubt.kinds.meeple import AnotherMeeple, OtherPlace
from scoring.carcassonne.doubt.kinds.player import OtherPlayer
from scoring.carcassonne.doubt.kinds.tile import OtherTile, is_coat_twin
from scoring.carcassonne.doubt.kinds.wonder import FurtherWonder, OtherCoats, OtherWonder
from scoring.carcassonne.wonders.files import change_coats, list_unsettled_cities, settle_layout
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.player_colours import NOBODY
from vision.arrays import SUREST
from vision.doubt.piles import find_piles, list_other_counts
from vision.doubt.player_names import PlayerNames, find_player_names, floor_name_probability, is_about_player
from vision.doubt.special_pieces import find_candidates, is_about_candidates, list_other_specials
from vision.doubt.wonder_pieces import find_marker, stand_as_marker, stand_by_foot
from vision.pieces.kind_prior import MARKER
from vision.reading.board import match_meeples, place_meeple
from vision.reading.values import (
    CoatAlternative,
    MeepleAlternative,
    MeepleReading,
    Reading,
    TileReading,
    WonderReading,
)

MIN_OFFERED_PROBABILITY, MIN_SCORED_PROBABILITY = 1e-5, 2e-4
"""Minimum raw probability of an alternative that is offered, and minimum calibrated probability of one that is scored.
Bounds time."""
STRANGE_COATS_PROBABILITY = 0.15
"""Mean probability of misread coats of arms, over the squares where that is possible, from which the net does not know
the art's coats (`vision.squares.coat_posterior`): between the value on tables of such an art, and the far lower one on
others. A guess."""
OVERLOOKED_MARKER_PROBABILITY = 0.9
"""Probability that a wonder without a visible marker has one: a piece on its head may be missed if it is seen from the
side of its feet. A guess."""
Doubted = Literal[
    "coat",
    "strange coat",
    "tile",
    "rest",
    "wonder",
    "place",
    "pose",
    "colour",
    "split",
    "nobody",
    "kind",
    "gone",
    "crowded",
    "further",
    "marker",
]
"""The subjects of doubt. For a tile: its coat of arms alone (in an art whose coats are known, or hardly), its whole
layout, or whether it is a tile of the catalogue at all. For a meeple: the feature below it, its pose, its colour
(split: that of another player, if one player's pieces look like two colours; nobody: no player's), its kind, its
presence (crowded: if it shares its tile with another). Or there is a further meeple, such as the marker of a wonder
that seems unmarked."""


def find_alternatives(reading: Reading, board: Board) -> Iterator[Alternative]:
    """Yield other tiles on squares, other places of meeples, and further meeples, with calibrated probabilities.

    The `board` is the one that was read. Alternatives are listed whether or not the reading marks a doubt: many small
    doubts add up. The pieces of a pile share one doubt, about their number; the pieces of a player share another, about
    the big one among them.
    """
    yield from (other for other in _list_calibrated(reading, board) if other.probability >= MIN_SCORED_PROBABILITY)


def _list_calibrated(reading: Reading, board: Board) -> Iterator[Alternative]:
    piles = find_piles(reading.meeples, reading.possible_meeples)
    presence = {number: float(number < len(reading.meeples)) for pile in piles for number in pile.pieces}
    numbers = {index: number for number, index in enumerate(match_meeples(reading.meeples, board))}
    further = count(len(reading.meeples))
    names = find_player_names(reading.meeples)
    calibrated = [
        replace(other, probability=_calibrate(doubted, other, names))
        for doubted, other in find_raw_alternatives(reading, board)
    ]
    candidates = find_candidates(board, calibrated)
    for other in calibrated:
        probability = other.probability
        if isinstance(other, OtherPlace) and other.instead is None and numbers[other.meeple] in presence:
            presence[numbers[other.meeple]] = 1 - probability
        elif isinstance(other, AnotherMeeple) and (number := next(further)) in presence:
            presence[number] = probability
        elif not is_about_candidates(other, board, candidates):
            yield other
    for group in candidates:
        yield from list_other_specials(group)
    for pile in piles:
        yield from list_other_counts(pile, presence, reading, board)


def _calibrate(doubted: Doubted, other: Alternative, names: PlayerNames) -> float:
    probability = calibrate_probability(doubted, other.probability)
    if isinstance(other, OtherPlayer) and doubted == "colour":
        return floor_name_probability(other.colour, other.instead, names, probability)
    return probability


def find_raw_alternatives(reading: Reading, board: Board) -> Iterator[tuple[Doubted, Alternative]]:
    """Yield the alternatives of a reading, each with the kind of its doubt and the probability stated by the reading.

    The calibration (`vision.doubt.alternatives`) is fitted on these.
    """
    yield from _list_other_tiles(reading)
    wonders = (*_list_other_wonders(reading), *_list_unseen_coats(reading), *_list_further_wonders(reading, board))
    yield from (("wonder", other) for other in wonders)
    names = find_player_names(reading.meeples)
    players = {meeple.colour for meeple in reading.meeples}
    for (colour, instead), probability in names.items():
        doubted: Doubted = "nobody" if instead == NOBODY else "split" if instead in players else "colour"
        yield doubted, OtherPlayer(colour, instead, probability)
    yield from _list_other_places(reading, board, names)
    for meeple in reading.possible_meeples:
        yield "further", AnotherMeeple(place_meeple(meeple), meeple.confidence)
    yield from (("marker", other) for other in _list_unseen_markers(reading, board))


def _list_unseen_markers(reading: Reading, board: Board) -> Iterator[UnseenMarker]:
    """Yield the possible markers of wonders without a visible one: the builder leaves a piece there for good."""
    colours = sorted({meeple.colour for meeple in board.meeples})
    settled = {square for wonder in reading.wonders if wonder.nobodys for square in wonder.placed.squares}
    for feature in build_feature_map(board) if board.wonders and colours else ():
        square, segment = feature.members[0]
        wonder = feature.placements[0].wonder
        if feature.kind != "wonder" or wonder is None or feature.meeples or square in settled:
            continue
        for colour in colours:
            marker = PlacedMeeple(colour, square, segment, MARKER)
            yield UnseenMarker(wonder.id, marker, OVERLOOKED_MARKER_PROBABILITY / len(colours))


def _list_other_tiles(reading: Reading) -> Iterator[tuple[Doubted, OtherTile]]:
    """Yield other tiles on squares; the doubt not covered by the reader's alternatives is that there is no tile at all.

    An unknown tile has no alternatives: the user is asked about it if its contents may matter.
    """
    coat: Doubted = "strange coat" if _are_coats_strange(reading.tiles) else "coat"
    for tile, read in _list_doubtable_tiles(reading.tiles):
        for other in tile.alternatives:
            if other.probability >= MIN_OFFERED_PROBABILITY:
                placed = Placement(other.tile, other.turns)
                yield coat if is_coat_twin(read, placed) else "tile", OtherTile(tile.square, placed, other.probability)
    for tile in reading.tiles:
        if tile.cell is None and _compute_rest(tile) >= MIN_OFFERED_PROBABILITY:
            yield "rest", OtherTile(tile.square, None, _compute_rest(tile), empty=True)


def _list_doubtable_tiles(tiles: Iterable[TileReading]) -> Iterator[tuple[TileReading, Placement]]:
    """Yield the tiles with alternatives of their own, unlike a wonder's squares, and the reading of each."""
    for tile in tiles:
        if tile.tile is not None and tile.cell is None:
            yield tile, Placement(tile.tile, tile.turns)


def _are_coats_strange(tiles: Iterable[TileReading]) -> bool:
    """Return whether coats of arms are as doubtful on the whole as in an art whose coats are unknown."""
    likely = [
        other.probability
        for tile, read in _list_doubtable_tiles(tiles)
        for other in tile.alternatives
        if other.probability >= MIN_OFFERED_PROBABILITY and is_coat_twin(read, Placement(other.tile, other.turns))
    ]
    return bool(likely) and sum(likely) / len(likely) >= STRANGE_COATS_PROBABILITY


def _compute_rest(tile: TileReading) -> float:
    """Compute the probability that a square holds neither the tile that was read nor one of its alternatives."""
    return 1 - tile.confidence - sum(other.probability for other in tile.alternatives)


def _list_other_wonders(reading: Reading) -> Iterator[OtherWonder]:
    """Yield the alternatives in the place of a doubtful wonder, the last being none at all."""
    for wonder in reading.wonders:
        if wonder.doubtful:
            squares = wonder.placed.squares
            for other, probability in wonder.alternatives:
                yield OtherWonder(squares, other, probability)
            rest = 1 - wonder.probability - sum(probability for _, probability in wonder.alternatives)
            if rest >= MIN_OFFERED_PROBABILITY or not wonder.alternatives:
                yield OtherWonder(squares, None, max(rest, 0.0))


def _list_further_wonders(reading: Reading, board: Board) -> Iterator[FurtherWonder]:
    """Yield the wonders that may lie where other tiles were read, with the pieces on them."""
    numbers = match_meeples(reading.meeples, board)
    for wonder in reading.possible_wonders:
        for placed, probability in ((wonder.placed, wonder.probability), *wonder.alternatives):
            marker = find_marker(reading.meeples, placed)
            standing = [
                (
                    number,
                    place_meeple(
                        stand_as_marker(meeple, placed)
                        if meeple is marker
                        else stand_by_foot(meeple, placed.placements[meeple.row, meeple.col])
                    ),
                )
                for number, meeple in zip(numbers, reading.meeples, strict=True)
                if (meeple.row, meeple.col) in placed.squares
            ]
            yield FurtherWonder(wonder.placed.squares, placed, probability, tuple(standing))


def _list_unseen_coats(reading: Reading) -> Iterator[OtherCoats]:
    """Yield the copies of wonders with other coats of arms in one of their cities, unless a person stated them."""
    for wonder in reading.wonders:
        for other in _list_coat_alternatives(wonder):
            placed = replace(wonder.placed, layout=_change_coats(wonder.placed.layout, other.city, other.coats))
            yield OtherCoats(wonder.placed.squares, placed, other.probability)


def _list_coat_alternatives(wonder: WonderReading) -> tuple[CoatAlternative, ...]:
    """Return the alternatives for the coats of arms of a wonder's cities, by its photo or, without evidence there, by
    how many cities have one."""
    cities = list_unsettled_cities(wonder.placed.layout)
    if wonder.coats is not None:
        return tuple(other for other in wonder.coats if other.city in cities)
    probability = load_weights("carcassonne", "wonders")["coat"]["share"]
    layout = wonder.placed.layout
    more = {city: layout.count_coats(city) + 1 for city in cities}
    return tuple(
        CoatAlternative(city, count, probability)
        for city, count in more.items()
        if count <= len(set(layout.parts[city].squares))
    )


@lru_cache(maxsize=64)
def _change_coats(layout: WonderLayout, city: int, coats: int) -> WonderLayout:
    """Return a wonder's layout with a known number of coats of arms in a city; each is built once."""
    return settle_layout(change_coats(layout, city, coats))


def _list_other_places(reading: Reading, board: Board, names: PlayerNames) -> Iterator[tuple[Doubted, OtherPlace]]:
    """Yield other places of meeples; a doubtful meeple without an alternative may be missing.

    A meeple on an unknown tile has no alternatives: the user is asked about that tile. Another name for all pieces of a
    player (`names`) is no doubt about the meeple.
    """
    for meeple, index in zip(reading.meeples, match_meeples(reading.meeples, board), strict=True):
        placed = board.meeples[index]
        if meeple.segment is None:
            continue
        nowhere = (MeepleAlternative(None, 1 - meeple.confidence),) if meeple.doubtful else ()
        for other in meeple.alternatives or nowhere:
            if other.probability >= MIN_OFFERED_PROBABILITY and not is_about_player(meeple, other, names):
                instead = _replace_meeple(placed, other)
                yield _classify_doubt(meeple, other), OtherPlace(index, instead, other.probability)


def _classify_doubt(meeple: MeepleReading, other: MeepleAlternative) -> Doubted:
    if other.segment is None:
        return "crowded" if meeple.crowded else "nobody" if other.colour == NOBODY else "gone"
    if other.colour not in (None, meeple.colour):
        return "colour"
    if other.kind not in (None, meeple.kind):
        return "kind"
    return "place" if other.pose in (None, meeple.pose) else "pose"


def _replace_meeple(placed: PlacedMeeple, other: MeepleAlternative) -> PlacedMeeple | None:
    if other.segment is None:
        return None
    return replace(
        placed,
        segment=other.segment,
        colour=other.colour or placed.colour,
        kind=other.kind or placed.kind,
        pose=other.pose or placed.pose,
    )


def calibrate_probability(doubted: Doubted, probability: float) -> float:
    """Return the calibrated probability of an alternative with this raw probability, kept `SUREST` away from 0 and 1.

    A kind missing from the calibration file keeps its raw probability: no wonder is on any calibration table, and for
    pieces that share a tile only the share of missing ones is known.
    """
    return apply_scaling(load_platt_scalings("carcassonne"), doubted, probability, SUREST)
