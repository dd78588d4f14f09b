"""The meeples on a board: the pieces, and the feature each stands on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from scoring.calibration import load_shares
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import FeatureMap, build_feature_map
from scoring.carcassonne.doubt.alternatives import MIN_ASKED_PROBABILITY
from scoring.player_colours import NOBODY
from vision.arrays import EVEN_ODDS, Floats
from vision.colour.likeness import weigh_colours_by_likeness
from vision.colour.prior import apply_colour_prior
from vision.colour.renaming import estimate_player_colours, find_strange_players, rename_players
from vision.geometry.warp import project_to_photo
from vision.pieces.assignment import sample_posterior
from vision.pieces.classifier import merge_duplicate_pieces
from vision.pieces.figures import BARN, Barn, estimate_figures, find_barn
from vision.pieces.ground_classifier import NO_GROUNDS, Grounds
from vision.pieces.kind_classifier import Names
from vision.pieces.kind_prior import apply_kind_prior, compute_marker_look
from vision.pieces.placement import Place, apply_farmer_habit, apply_place_prior, find_places, get_complete_odds
from vision.pieces.tiles_beneath import PossiblePlaces, weigh_tiles_by_pieces
from vision.reading.piece import Piece
from vision.reading.values import DOUBT_BELOW, MeepleAlternative, MeepleReading, TileReading, Warp

MIN_PRESENCE = MIN_ASKED_PROBABILITY
"""Minimum probability of a possible piece, wherever it stands; less likely ones are not even asked about."""
MIN_COUNTED_PRESENCE = EVEN_ODDS
"""Minimum presence of a piece that is counted; less likely ones are asked about."""
MIN_SURE_PRESENCE = DOUBT_BELOW
"""Presence below which a meeple may be none."""
SHOWN_PROBABILITY = MIN_ASKED_PROBABILITY
"""Minimum probability of alternative places and colours of a meeple that are offered."""
PLACE_SURE = 0.8
"""Minimum certainty of a meeple's feature and colour for it not to be doubtful. A guess."""


def select_shown_pieces(places: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the pieces among the places, each once, with the odds of `colours` updated by the others."""
    pieces = merge_duplicate_pieces(weigh_likely_places(places, colours))
    return weigh_and_rename([piece for piece in pieces if piece.presence >= MIN_PRESENCE], colours)[1]


def weigh_likely_places(places: Sequence[Piece], colours: Sequence[str]) -> list[Piece]:
    """Return the places that may be pieces, some repeated, with the prior of each of `colours` being played."""
    return apply_colour_prior([piece for piece in places if piece.presence >= MIN_PRESENCE], colours)


def weigh_and_rename(pieces: Sequence[Piece], colours: Sequence[str]) -> tuple[list[Piece], list[Piece]]:
    """Return the pieces with the odds of `colours` updated by the others, before and after players are renamed.

    After renaming, each player has the name most consistent with all others'. The pieces' odds must already include the
    prior of each colour (`apply_colour_prior`).
    """
    weighed = weigh_colours_by_likeness(pieces, colours)
    return weighed, rename_players(weighed, colours)


def read_meeples(
    candidates: Sequence[Piece], names: Names, warp: Warp, board: Board, grounds: Grounds = NO_GROUNDS
) -> tuple[tuple[MeepleReading, ...], tuple[MeepleReading, ...]]:
    """Return the meeples among the candidates found on a board, and places where more may stand.

    `grounds` is the photos' evidence about the print beneath them.
    """
    pieces = _weigh_pieces(candidates, board, names, grounds)
    likely = [p for p in pieces if p.piece.presence >= MIN_COUNTED_PRESENCE]
    unsure = [p for p in pieces if MIN_PRESENCE <= p.piece.presence < MIN_COUNTED_PRESENCE]
    return _read_on_board(likely, warp, board, names), _read_on_board(unsure, warp, board, names)


@dataclass(frozen=True, slots=True, eq=False)
class _WeighedPiece:
    """A piece, with its presence updated by its place and the other pieces, and its places.

    `colours_before` are the odds of its colours before the other pieces were considered, `player` those of its player's
    name, and `on_head` the probability that it is present and upside down, by its look alone. `figure` is the
    probability that it is no usual piece, if it is present, and `barn` what it is where a barn may stand.
    """

    piece: Piece
    places: tuple[Place, ...]
    colours_before: Floats
    player: Floats
    on_head: float
    figure: float = 0.0
    barn: Barn | None = None

    @property
    def absence(self) -> MeepleAlternative:
        """The alternative that no player's piece stands there; at even odds at most a figure, since it counts."""
        none = 1 - self.piece.presence * (1 - min(self.figure, EVEN_ODDS))
        return MeepleAlternative(None, none, NOBODY if self.figure else None)


def weigh_tiles(
    tiles: Sequence[TileReading], pieces: Sequence[Piece], names: Names, board: Board, grounds: Grounds = NO_GROUNDS
) -> tuple[TileReading, ...]:
    """Return the tiles of a board weighed by the pieces found on it (`vision.pieces.tiles_beneath`)."""
    features = build_feature_map(board)
    likely, places = _list_places(pieces, board, features, names, grounds)
    possible = [
        PossiblePlaces(piece.presence, tuple(replace(p, odds=p.odds / get_complete_odds(p, features)) for p in where))
        for piece, where in zip(likely, places, strict=True)
    ]
    return weigh_tiles_by_pieces(tiles, board, possible)


def _list_places(
    pieces: Sequence[Piece], board: Board, features: FeatureMap, names: Names, grounds: Grounds
) -> tuple[list[Piece], list[tuple[Place, ...]]]:
    """Return the pieces with the kinds that their table has, and the places of each."""
    likely = apply_kind_prior(pieces, board, names.poses, names.kinds)
    places = [
        find_places(piece, board, features, names.poses, names.kinds, grounds.roads, grounds.of_piece(i))
        for i, piece in enumerate(likely)
    ]
    return likely, apply_farmer_habit(likely, places, features)


def _weigh_pieces(pieces: Sequence[Piece], board: Board, names: Names, grounds: Grounds) -> list[_WeighedPiece]:
    stretches = build_feature_map(board)
    likely, places = _list_places(pieces, board, stretches, names, grounds)
    fitting = [apply_place_prior(piece, where, board) for piece, where in zip(likely, places, strict=True)]
    posteriors = sample_posterior(fitting, places, board, stretches, names.kinds)
    found = [posterior.piece for posterior in posteriors]
    player_colours = estimate_player_colours(found, names.colours)
    strange = find_strange_players(found, names.colours)
    figures = np.maximum(estimate_figures(pieces, board), EVEN_ODDS * np.array(strange)).tolist()
    return [
        _WeighedPiece(
            posterior.piece,
            posterior.places,
            before.colours,
            player,
            compute_marker_look(piece, names.poses),
            figure,
            find_barn(piece, figure, board),
        )
        for piece, posterior, before, player, figure in zip(
            pieces, posteriors, fitting, player_colours, figures, strict=True
        )
    ]


def _read_on_board(
    pieces: Sequence[_WeighedPiece], warp: Warp, board: Board, names: Names
) -> tuple[MeepleReading, ...]:
    feet = project_to_photo(warp, np.array([weighed.piece.at for weighed in pieces]))
    read = [_read_meeple(weighed, board, foot, names) for weighed, foot in zip(pieces, feet.tolist(), strict=True)]
    return _keep_crowded([meeple for meeple in read if meeple is not None], board)


def _read_meeple(weighed: _WeighedPiece, board: Board, foot: Sequence[float], names: Names) -> MeepleReading | None:
    """Return the meeple with its foot at a pixel on its most likely feature; None for a piece beside the board."""
    piece, places = weighed.piece, weighed.places
    if not places:
        square = piece.square
        pose, kind = names.poses[int(np.argmax(piece.poses))], names.kinds[int(np.argmax(piece.kinds))]
        nowhere = Place(square, 0, pose, 0.0, kind)
        none = (weighed.absence,)
        return _build_reading(weighed, foot, names, nowhere, 0.0, None, none) if square in board.tiles else None
    best = max(places, key=lambda place: place.odds)
    total = sum(place.odds for place in places)
    on: dict[tuple[int, str], list[Place]] = {}
    for place in places:
        if place.square == best.square:
            on.setdefault((place.segment, place.kind), []).append(place)
    shares = {key: sum(place.odds for place in group) / total for key, group in on.items()}
    sure = shares.pop((best.segment, best.kind))
    others = [
        _build_alternative(best, max(on[key], key=lambda place: place.odds), share)
        for key, share in sorted(shares.items(), key=lambda item: -item[1])
        if share > SHOWN_PROBABILITY
    ]
    others += _list_other_colours(weighed, names, best.segment)
    others.append(weighed.absence)
    read = _build_reading(weighed, foot, names, best, sure, best.segment, tuple(others))
    return _read_as_barn(read, weighed.barn) if weighed.barn else read


def _read_as_barn(read: MeepleReading, barn: Barn) -> MeepleReading:
    """Return a piece where four fields meet as a barn, which may be what was read, or nothing."""
    place = next((place for place in barn.places if place.square == (read.row, read.col)), None)
    if place is None:
        return read
    usual = MeepleAlternative(read.segment, barn.other, kind=read.kind, pose=read.pose)
    *others, absence = read.alternatives
    colours = (replace(other, segment=place.segment) for other in others if other.colour)
    return replace(
        read,
        kind=BARN,
        pose="standing",
        segment=place.segment,
        confidence=barn.barn,
        doubtful=True,
        alternatives=(usual, *colours, replace(absence, probability=barn.none)),
    )


def _build_alternative(read: Place, place: Place, share: float) -> MeepleAlternative:
    kind, pose = (None if new == old else new for new, old in ((place.kind, read.kind), (place.pose, read.pose)))
    return MeepleAlternative(place.segment, share, kind=kind, pose=pose)


def _list_other_colours(weighed: _WeighedPiece, names: Names, segment: int) -> Iterator[MeepleAlternative]:
    """Yield the alternative colours of a piece, by the evidence of the other pieces or of its whole player."""
    odds = np.maximum(weighed.piece.colours, weighed.player)
    colour = int(np.argmax(weighed.piece.colours))
    for other in np.argsort(-odds).tolist():
        if other != colour and odds[other] > SHOWN_PROBABILITY:
            yield MeepleAlternative(segment, float(odds[other]), names.colours[other])


def _compute_hue_probability(weighed: _WeighedPiece) -> float:
    """Return the certainty of a piece's colour: the least of those by itself, among the other pieces, and for its
    player.
    """
    colour = int(np.argmax(weighed.piece.colours))
    return float(min(odds[colour] for odds in (weighed.colours_before, weighed.piece.colours, weighed.player)))


def _build_reading(
    weighed: _WeighedPiece,
    foot: Sequence[float],
    names: Names,
    place: Place,
    sure: float,
    segment: int | None,
    others: tuple[MeepleAlternative, ...] = (),
) -> MeepleReading:
    piece = weighed.piece
    hue = _compute_hue_probability(weighed)
    other_kind = sum(other.probability for other in others if other.kind) > 1 - DOUBT_BELOW
    return MeepleReading(
        colour=names.colours[int(np.argmax(piece.colours))],
        kind=place.kind,
        pose=place.pose,
        foot_px=(foot[0], foot[1]),
        at=piece.at,
        row=place.square[0],
        col=place.square[1],
        segment=segment,
        confidence=(1 - weighed.absence.probability) * sure * hue,
        doubtful=1 - weighed.absence.probability < MIN_SURE_PRESENCE or min(sure, hue) < PLACE_SURE or other_kind,
        alternatives=others,
        on_head=weighed.on_head,
    )


def _keep_crowded(meeples: Sequence[MeepleReading], board: Board) -> tuple[MeepleReading, ...]:
    """Return all meeples; those that share a tile are doubtful, and all but the most certain of them may be none.

    By the rules, only the player of a tile places a piece on it, and only one. But people set pieces across a seam or
    pile them up, so the rule casts doubt on a reading and removes nothing. On a wonder, its player marks it and may
    place 2 more, on different features, even of one square.
    """
    tiles: dict[tuple[int, int, int | None], list[MeepleReading]] = {}
    for meeple in meeples:
        placement = board.tiles.get((meeple.row, meeple.col))
        of_wonder = placement is not None and placement.wonder is not None
        tiles.setdefault((meeple.row, meeple.col, meeple.segment if of_wonder else None), []).append(meeple)
    return tuple(meeple for sharing in tiles.values() for meeple in _doubt_sharing(sharing))


def _doubt_sharing(meeples: Sequence[MeepleReading]) -> Iterator[MeepleReading]:
    """Yield the meeples of one tile, as doubts if there are several, the most certain first."""
    first, *others = sorted(meeples, key=lambda meeple: -meeple.confidence)
    yield replace(first, doubtful=first.doubtful or any(other.confidence > EVEN_ODDS for other in others))
    for other in others:
        elsewhere = tuple(alternative for alternative in other.alternatives if alternative.segment is not None)
        none = next(alternative for alternative in other.alternatives if alternative.segment is None)
        gone = replace(none, probability=max(none.probability, load_shares("carcassonne")["crowded_none"]))
        yield replace(other, doubtful=True, crowded=True, alternatives=(*elsewhere, gone))
