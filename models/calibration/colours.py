"""Fit the weight of the net's names of players: `python -m models.calibration.colours LABEL.json ... --photos DIR`.

The net's names for a player's pieces are weighed against how well all looks agree under one light. The weight maximises
the likelihood of the true names of all players on labelled photos (`vision.colour.renaming`). The command prints
the rows of `[carcassonne.colours]` in `models/calibration.toml`, with the number of players and how many of them get
another name, how often renaming a player is wrong, and how often a rare colour's name is wrong though it seems sure;
`--write` writes them there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from models.calibration.file import (
    FittedRow,
    TooFewCasesError,
    build_label_parser,
    collect_from_photos,
    count_tables,
    fit_share,
    report_rows,
)
from models.calibration.presence import survey_tiles
from scoring.carcassonne.doubt.relevance import CONFIDENCE_SURE
from vision.arrays import Floats, compute_log_softmax
from vision.colour.illumination import compute_usual_paints, estimate_light
from vision.colour.likeness import SURE
from vision.colour.prior import RARE_COLOURS, apply_colour_prior
from vision.colour.renaming import MIN_PIECES, compute_net_nats
from vision.evaluation.labels import Truth
from vision.geometry.warp import project_to_photo
from vision.pieces.classifier import merge_duplicate_pieces
from vision.pieces.company import weigh_presence_by_company
from vision.pieces.meeples import MIN_COUNTED_PRESENCE, MIN_PRESENCE, weigh_and_rename
from vision.reader import Reader
from vision.reading.piece import Piece

SAME_FOOT_TILES = 0.25
"""A place this near to a true foot is that piece, in tiles. A guess."""
RARE_SHARE = 1 / 30
"""Total weight of the players of one rare colour (`vision.colour.prior`), however many are on the photos. A
guess."""
MIN_NATS = -7.0
"""Lower bound of a player's log-likelihood, which limits its weight. A guess."""
NET_PIECES = (0.1, 10.0)
"""Range of weights searched, in pieces. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedPieces:
    """Possible pieces of one photo, and the true colours of the real ones, by their indices."""

    pieces: Sequence[Piece]
    colours: dict[int, str]


@dataclass(frozen=True, slots=True, eq=False)
class Player:
    """A player of known `colour` on a photo: (n, colours) the net's odds of the pieces, and (names,) nats of their
    looks under each name, given the other players' true names; -inf for those names."""

    colour: str
    net_odds: Floats
    light_nats: Floats


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    reader = Reader()
    colours = reader.piece_reader.names.colours
    photos = [
        *collect_from_photos(options.labels, options.photos, lambda truth, file: collect_pieces(reader, truth, file))
    ]
    report_rows("carcassonne", fit_rows(photos, colours), options.write, count_tables(options.labels))


def collect_pieces(reader: Reader, truth: Truth, file: Path) -> NamedPieces:
    """Return the possible pieces on a photo, each once; raises ReadingError."""
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
    return NamedPieces(pieces, colours)


def list_players(photo: NamedPieces, names: Sequence[str]) -> Iterator[Player]:
    """Yield the players of a photo that have several surely seen pieces, if others have some too."""
    usual = compute_usual_paints(names)
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
                nats[name] = -estimate_light(np.array(looks), paints).nats
            yield Player(colour, np.array([photo.pieces[i].said for i in group]), nats)


def fit_rows(photos: Sequence[NamedPieces], colours: Sequence[str]) -> Iterator[FittedRow]:
    """Yield the weight of the net's names of players, the rate of wrong renamings and that of wrong but sure rare
    names; raises TooFewCasesError if no player is seen."""
    players = [player for photo in photos for player in list_players(photo, colours)]
    if not players:
        raise TooFewCasesError("no photo shows several players with pieces enough")
    net_pieces = fit_net_pieces(players, colours)
    shares = [np.exp(compute_log_softmax(compute_nats(player, colours, net_pieces))) for player in players]
    named = [
        (player.colour, colours[int(odds.argmax())], float(odds.max()))
        for player, odds in zip(players, shares, strict=True)
    ]
    misnamed = sum(true != name for true, name, _ in named)
    renamed = [right for photo in photos for right in list_renamed(photo, colours)]
    rare = [true == name for true, name, sure in named if name in RARE_COLOURS and sure >= CONFIDENCE_SURE]
    counts = {"players": len(players), "misnamed": misnamed}
    yield FittedRow("colours", "player", {"net_pieces": round(net_pieces, 1)}, counts, len(players))
    for share, right in (("renamed_wrongly", renamed), ("rare_misnamed", rare)):
        yield fit_share(share, right.count(False), len(right), 1, 2, 2)


def fit_net_pieces(players: Sequence[Player], colours: Sequence[str]) -> float:
    """Return the most likely weight of the net's names, in pieces within `NET_PIECES`."""
    from scipy.optimize import minimize_scalar  # imported late: slow to load

    fit = minimize_scalar(
        lambda log: -compute_mean_nats(players, colours, float(np.exp(log))),
        bounds=np.log(NET_PIECES),
        method="bounded",
    )
    return float(np.exp(fit.x))


def compute_mean_nats(players: Sequence[Player], colours: Sequence[str], net_pieces: float) -> float:
    """Return the mean log-likelihood of a player's true name: all players of a rare colour weigh `RARE_SHARE`."""
    nats: dict[str, list[float]] = {}
    for player in players:
        name_nats = compute_log_softmax(compute_nats(player, colours, net_pieces))[colours.index(player.colour)]
        rare = player.colour if player.colour in RARE_COLOURS else ""
        nats.setdefault(rare, []).append(max(float(name_nats), MIN_NATS))
    shares = {colour: RARE_SHARE if colour else 1 - RARE_SHARE * (len(nats) - 1) for colour in nats}
    return sum(shares[colour] * float(np.mean(of_colour)) for colour, of_colour in nats.items())


def compute_nats(player: Player, colours: Sequence[str], net_pieces: float) -> Floats:
    """Return the (names,) log-likelihoods of a player's names at this weight of the net."""
    return player.light_nats + compute_net_nats(player.net_odds, colours, net_pieces)


def list_renamed(photo: NamedPieces, colours: Sequence[str]) -> Iterator[bool]:
    """Yield for each player of a photo that is renamed, at the weight in force, whether the old name was wrong."""
    pieces = [replace(piece, colours=piece.said) for piece in photo.pieces]
    merged, renamed = weigh_and_rename(apply_colour_prior(pieces, colours), colours)
    renamings = set()
    for i, colour in photo.colours.items():
        before, after = (colours[int(step[i].colours.argmax())] for step in (merged, renamed))
        if before != after and (colour, before, after) not in renamings:
            renamings.add((colour, before, after))
            yield colour != before


if __name__ == "__main__":
    main()
