"""Fit how colours are told that the net was not taught: `python -m models.calibration.colours LABEL.json ... --photos
DIR`.

How much each name that the net gives tells of grey, purple, orange or plain wood, and how much its unsureness does, are
the weights that make the true names of all players on labelled photos likeliest, where each player's name is weighed by
what the net says and by how well all looks go together in one light, as `vision.pieces.colour_renaming` does. Prints
the rows of `[carcassonne.colours]` in `models/calibration.toml`, with how many pieces and players each rests on and how
many of these players get another name, and how often renaming a player is wrong; `--write` puts them there. Weights
that were set by hand are not fitted unless `--write` names them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from models.calibration.file import FittedRow, build_label_parser, collect_from_photos, fit_share, report_rows
from models.calibration.tile_squares import survey_tiles
from scoring.calibration import load_weights
from vision.arrays import Floats
from vision.evaluation.labels import Truth
from vision.geometry.warp import project_to_photo
from vision.pieces.classifier import Piece, merge_duplicate_pieces
from vision.pieces.colour_clusters import SURE, weigh_presence_by_company
from vision.pieces.colour_illumination import compute_usual_paints, estimate_light
from vision.pieces.colour_prior import apply_colour_prior
from vision.pieces.colour_renaming import MIN_PIECES, compute_net_nats
from vision.pieces.meeples import MIN_COUNTED_PRESENCE, MIN_PRESENCE, merge_and_rename
from vision.pieces.untaught_colours import (
    OTHER,
    UNSURENESS,
    UNTAUGHT_COLOURS,
    ColourWeights,
    UntaughtWeights,
    add_untaught_odds,
    list_colours,
    load_colour_weights,
)
from vision.reader import Reader
from vision.squares.classifier import log_softmax

SAME_FOOT_TILES = 0.25
"""What is found so near to a true foot is that piece."""
LIKE_NAMES: Mapping[str, tuple[str, str]] = {
    "grey": ("black", "white"),
    "purple": ("pink", "black"),
    "orange": ("yellow", "red"),
    "wood": ("white", "pink"),
}
"""What the net calls pieces in each colour: the likeliest name, and the next."""
FIRST_LOG_WEIGHTS, FIRST_UNSURENESS = (0.0, -1.0, -3.0), 0.7
"""What is thought of the weights before any piece is seen: logarithms of both names' and of all others', and the power
of the unsureness."""
PRIOR_NATS = 0.002
"""What a weight's distance from that costs, squared, against the mean nats of a player's name."""
PLAYERS_SHARE = 1 / 30
"""What the players of one untaught colour count all together, however many are on the photos."""
MIN_NATS = -7.0
"""No player counts for more than this improbability."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedPieces:
    """What may be pieces of one photo: (n, colours) the net's odds of each, and the true colour of those that are."""

    pieces: Sequence[Piece]
    net_odds: Floats
    colours: dict[int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """A player of known `colour` on a photo: (n, colours) the net's odds of the pieces, and (names,) nats of their
    looks by each name, beside the other players' true names; -inf for these."""

    colour: str
    net_odds: Floats
    light_nats: Floats


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    reader = Reader()
    net_colours = tuple(name for name in reader.piece_reader.names.colours if name not in UNTAUGHT_COLOURS)
    photos = [
        *collect_from_photos(
            options.labels, options.photos, lambda truth, file: collect_pieces(reader, truth, file, net_colours)
        )
    ]
    rows = load_weights("carcassonne", "colours")
    fitted = [name for name in UNTAUGHT_COLOURS if name in (options.write or ()) or not rows[name].get("by_hand")]
    report_rows("carcassonne", fit_rows(photos, net_colours, fitted), options.write)


def collect_pieces(reader: Reader, truth: Truth, file: Path, net_colours: Sequence[str]) -> NamedPieces:
    """Return what may be pieces on a photo, each once; raises ReadingError."""
    survey, squares = survey_tiles(reader, file)
    places = weigh_presence_by_company(reader.piece_reader.find_places(survey, squares))
    pieces = merge_duplicate_pieces([piece for piece in places if piece.presence >= MIN_PRESENCE])
    at = np.array([piece.at for piece in pieces]).reshape(-1, 2)
    pixels = project_to_photo(survey.lattice.warp(), at)
    colours = {}
    for meeple in truth.meeples if pieces else ():
        distances = np.linalg.norm(pixels - meeple.foot_px, axis=1)
        nearest = int(distances.argmin())
        if (
            distances[nearest] < SAME_FOOT_TILES * survey.lattice.tile_px
            and pieces[nearest].presence > MIN_COUNTED_PRESENCE
        ):
            colours[nearest] = meeple.placed.colour
    odds = np.array([piece.said[: len(net_colours)] for piece in pieces]).reshape(-1, len(net_colours))
    return NamedPieces(pieces, odds / odds.sum(axis=1, keepdims=True), colours)


def list_players(photo: NamedPieces, net_colours: Sequence[str]) -> Iterator[Player]:
    """Yield the players of a photo that have several surely seen pieces, where others have some too."""
    names, usual = list_colours(net_colours), compute_usual_paints(list_colours(net_colours))
    pieces_by_colour: dict[str, list[int]] = {}
    for i, colour in photo.colours.items():
        if photo.pieces[i].presence > SURE and np.isfinite(photo.pieces[i].paint).all():
            pieces_by_colour.setdefault(colour, []).append(i)
    played = [names.index(colour) for colour in pieces_by_colour]
    looks = [np.median([photo.pieces[i].paint for i in group], axis=0) for group in pieces_by_colour.values()]
    for number, (colour, group) in enumerate(pieces_by_colour.items()):
        if len(group) >= MIN_PIECES and len(played) > 1:
            nats = np.full(len(names), -np.inf)
            for name in {*range(len(names))}.difference(played) | {played[number]}:
                paints = usual[[*played[:number], name, *played[number + 1 :]]]
                nats[name] = -estimate_light(np.array(looks), paints)[1]
            yield Player(colour, photo.net_odds[group], nats)


def fit_rows(photos: Sequence[NamedPieces], net_colours: Sequence[str], fitted: Collection[str]) -> list[FittedRow]:
    """Return the rows of the `fitted` colours, and how often renaming is wrong; raises ValueError where nobody has one
    of the colours."""
    players = [player for photo in photos for player in list_players(photo, net_colours)]
    counts = Counter(player.colour for player in players)
    if missing := [colour for colour in fitted if not counts[colour]]:
        raise ValueError(f"no player is {missing[0]}")
    weights, names = fit_weights(players, net_colours, fitted), list_colours(net_colours)
    misnamed = Counter(
        player.colour
        for player in players
        if names[int(compute_nats(player, net_colours, weights).argmax())] != player.colour
    )
    rows = []
    for colour in fitted:
        tells, other, unsure = weights.untaught[colour]
        values = {name: round(value, 2) for name, value in {**tells, OTHER: other, UNSURENESS: unsure}.items()}
        rests_on = {"players": len(players), colour: counts[colour], "misnamed": misnamed[colour]}
        rows.append(FittedRow("colours", colour, values | rests_on))
    renamed = [right for photo in photos for right in list_renamed(photo, net_colours, weights)]
    return [*rows, fit_share("renamed_wrongly", renamed.count(False), len(renamed), 1, 2, 2)]


def fit_weights(players: Sequence[Player], net_colours: Sequence[str], fitted: Collection[str]) -> ColourWeights:
    """Return the weights in force, with those of the `fitted` colours that make the players' names likeliest."""
    from scipy.optimize import minimize  # as in `vision.localise.lattice`

    colours, in_force = sorted(fitted), load_colour_weights()
    first = np.tile([*FIRST_LOG_WEIGHTS, FIRST_UNSURENESS], len(colours))

    def build(values: Floats) -> ColourWeights:
        untaught = dict(in_force.untaught)
        for colour, (*logs, unsure) in zip(colours, values.reshape(-1, 4).tolist(), strict=True):
            *tells, other = np.exp(logs).tolist()
            untaught[colour] = UntaughtWeights(dict(zip(LIKE_NAMES[colour], tells, strict=True)), other, unsure)
        return in_force._replace(untaught=untaught)

    def cost(values: Floats) -> float:
        prior = PRIOR_NATS * float(((values - first) ** 2).sum())
        return prior - compute_mean_nats(players, net_colours, build(values), colours)

    options = {"xtol": 0.02, "ftol": 1e-4}
    return build(minimize(cost, first, method="Powell", options=options).x) if colours else in_force


def compute_mean_nats(
    players: Sequence[Player], net_colours: Sequence[str], weights: ColourWeights, apart: Collection[str]
) -> float:
    """Return the nats of a player's true name, in the mean: those of each colour that stands `apart` count
    `PLAYERS_SHARE` together."""
    names = list_colours(net_colours)
    nats: dict[str, list[float]] = {}
    for player in players:
        name_nats = log_softmax(compute_nats(player, net_colours, weights))[names.index(player.colour)]
        nats.setdefault(player.colour if player.colour in apart else "", []).append(max(float(name_nats), MIN_NATS))
    shares = {colour: PLAYERS_SHARE if colour else 1 - PLAYERS_SHARE * (len(nats) - 1) for colour in nats}
    return sum(shares[colour] * float(np.mean(of_colour)) for colour, of_colour in nats.items())


def compute_nats(player: Player, net_colours: Sequence[str], weights: ColourWeights) -> Floats:
    """Return (names,) nats of a player's names by such weights."""
    odds = add_untaught_odds(player.net_odds, net_colours, weights)
    return player.light_nats + compute_net_nats(odds, list_colours(net_colours))


def list_renamed(photo: NamedPieces, net_colours: Sequence[str], weights: ColourWeights) -> Iterator[bool]:
    """Yield for each player of a photo that is renamed whether the old name was wrong."""
    names, odds = list_colours(net_colours), add_untaught_odds(photo.net_odds, net_colours, weights)
    pieces = [
        replace(piece, colours=piece_odds, said=piece_odds)
        for piece, piece_odds in zip(photo.pieces, odds, strict=True)
    ]
    merged, renamed = merge_and_rename(apply_colour_prior(pieces, names), names)
    renamings = set()
    for i, colour in photo.colours.items():
        before, after = (names[int(step[i].colours.argmax())] for step in (merged, renamed))
        if before != after and (colour, before, after) not in renamings:
            renamings.add((colour, before, after))
            yield colour != before


if __name__ == "__main__":
    main()
