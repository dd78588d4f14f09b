"""Fit how grey pieces are told: `python -m models.calibration.colours LABEL.json ... --photos DIR`.

The net knows no grey. How likely it calls a grey piece black, white or another colour, how much its unsureness tells of
grey, and what a unit of lightness counts of paints without a hue, are the weights that make the true colours of the
pieces on labelled photos likeliest where the pieces of a photo are weighed together. Grey pieces are few, so they are
averages over all that is possible, each weighed by how likely it makes the true colours. Prints the row of
`[carcassonne.colours]` in `models/calibration.toml`, with how many pieces it rests on, how many of them are grey and
how many get another colour than they have; `--write` puts it there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import product
from pathlib import Path

import numpy as np

from models.calibration.file import FittedRow, build_label_parser, list_labelled_photos, report_rows
from vision.arrays import Floats
from vision.evaluation.labels import Truth
from vision.geometry.warp import project_to_photo
from vision.photo.decoding import Photo
from vision.pieces.classifier import Piece, merge_duplicate_pieces
from vision.pieces.colour_clusters import weigh_colours_by_likeness, weigh_presence_by_company
from vision.pieces.colour_prior import apply_colour_prior, compute_played_share
from vision.pieces.meeples import MIN_COUNTED_PRESENCE, MIN_PRESENCE
from vision.pieces.neutral_colours import GREY, NeutralWeights, add_grey_odds, list_colours
from vision.reader import Reader

SAME_FOOT_TILES = 0.25
"""What is found so near to a true foot is that piece."""
POSSIBLE: dict[str, tuple[float, ...]] = {
    "black": (0.1, 0.3, 1.0),
    "white": (0.3, 1.0, 3.0),
    "other": (0.01, 0.03, 0.1, 0.3),
    "unsure": (0.5, 1.0),
    "lightness": (0.75, 1.0, 1.5),
}
"""What each weight may be."""
MIN_PROBABILITY = 1e-3
"""No piece counts for more than this improbability: one whose foot is another's says nothing of colours."""


@dataclass(frozen=True, slots=True, eq=False)
class NamedPieces:
    """What may be pieces of one photo: (n, colours) the net's odds of each, and the true colour of those that are."""

    pieces: Sequence[Piece]
    net_odds: Floats
    colours: dict[int, str]


def main() -> None:
    options = build_label_parser(__doc__).parse_args()
    reader = Reader()
    net_colours = tuple(name for name in reader.piece_reader.names.colours if name != GREY)
    photos = [collect_pieces(reader, truth, file, net_colours) for truth, file in list_labelled_photos(options)]
    report_rows("carcassonne", [fit_row(photos, net_colours)], options.write)


def collect_pieces(reader: Reader, truth: Truth, file: Path, net_colours: Sequence[str]) -> NamedPieces:
    """Return what may be pieces on a photo, each once; raises ReadingError."""
    survey = reader.survey(Photo.from_path(file))
    tiles = {tile.square for tile in reader.join([survey]).views[0].reading.tiles}
    squares = sorted(tiles.intersection(survey.lattice.corners))
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


def fit_row(photos: Sequence[NamedPieces], net_colours: Sequence[str]) -> FittedRow:
    """Return the weights that fit the pieces best, with what they rest on; raises ValueError where none is grey."""
    counts = Counter(colour for photo in photos for colour in photo.colours.values())
    if not counts[GREY]:
        raise ValueError("no piece is grey")
    weights, names = fit_weights(photos, net_colours), list_colours(net_colours)
    misnamed = sum(
        names[int(odds.argmax())] != colour
        for photo in photos
        for odds, colour in name_pieces(photo, net_colours, weights)
    )
    values = {name: round(value, 2) for name, value in weights._asdict().items()}
    rests_on = {"pieces": counts.total(), "grey": counts[GREY], "misnamed": misnamed}
    return FittedRow("colours", "neutral", values | rests_on)


def fit_weights(photos: Sequence[NamedPieces], net_colours: Sequence[str]) -> NeutralWeights:
    """Return the mean of all possible weights, each weighed by how likely it makes the true colours."""
    possible = [NeutralWeights(*values) for values in product(*POSSIBLE.values())]
    nats = np.array([compute_nats(photos, net_colours, weights) for weights in possible])
    likely = np.exp(nats - nats.max())
    return NeutralWeights(*(likely @ np.array(possible) / likely.sum()).tolist())


def compute_nats(photos: Sequence[NamedPieces], net_colours: Sequence[str], weights: NeutralWeights) -> float:
    """Return the nats of the pieces' true colours by such weights.

    Grey pieces count together what is thought of how often grey is played, however many there are.
    """
    names = list_colours(net_colours)
    nats: dict[bool, list[float]] = {True: [], False: []}
    for photo in photos:
        for odds, colour in name_pieces(photo, net_colours, weights):
            nats[colour == GREY].append(float(np.log(max(odds[names.index(colour)], MIN_PROBABILITY))))
    played = compute_played_share(GREY, names)
    count = len(nats[True]) + len(nats[False])
    return count * sum(
        share * float(np.mean(nats[grey])) for grey, share in ((True, played), (False, 1 - played)) if nats[grey]
    )


def name_pieces(photo: NamedPieces, net_colours: Sequence[str], weights: NeutralWeights) -> list[tuple[Floats, str]]:
    """Return the odds (colours,) of each true piece's colours by such weights, with its true colour."""
    names, odds = list_colours(net_colours), add_grey_odds(photo.net_odds, net_colours, weights)
    named = [replace(piece, colours=piece_odds) for piece, piece_odds in zip(photo.pieces, odds, strict=True)]
    weighed = weigh_colours_by_likeness(apply_colour_prior(named, names), names, weights)
    return [(weighed[i].colours, colour) for i, colour in photo.colours.items()]


if __name__ == "__main__":
    main()
