"""Coats of arms and pieces: a tile that shows no coat of arms has none, unless a piece hides the place of it.

A net that sees one square at a time does not tell a coat that is hidden from one that is not there. So the pieces,
once they are found, are held against the squares, and what was said of coats is weighed anew. Where the place of the
coat lies is learnt from a copy of the tile that shows it; without one, it is likelier hidden the more of the tile is.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from scoring.carcassonne.catalogue import Catalogue, turned_layouts
from scoring.carcassonne.geometry import Square
from vision.coat_places import CELLS, places_of_coats
from vision.coats import Ints, SeenCoats, coats_beside_pieces
from vision.evidence import joined_logits, prior_of
from vision.grouping import Joint
from vision.leaning import camera_over, leans_at
from vision.nets import Net
from vision.pieces import Piece
from vision.sightings import moved
from vision.survey import PlacedSurvey, Survey
from vision.tiles import log_softmax, twins_of

Floats = NDArray[np.float64]

TALL, BROAD = 0.36, 0.2
"""In tiles: how tall a meeple is, and how far about the line from its foot to its head it hides what is printed."""
TILE_HIDDEN, COAT_HIDDEN = 0.2, 0.5
"""Of a tile whose coat may lie anywhere, and of a coat's place: where pieces hide so much, it is as good as hidden."""
UNSURE = 1.5
"""In nats: a coat of arms that is likelier or less likely than this is so, whatever pieces hide."""
SURELY, HARDLY_HIDDEN = 3.0, 0.3
"""So sure a coat is seen, and no more is hidden, of a tile that tells where it lies."""
CHANGE_LEAST = 0.01
"""Where no probability changes by so much, nothing is changed."""


def told_beside_pieces(net: Net, joint: Joint, pieces: Sequence[Sequence[Piece]], catalogue: Catalogue) -> Joint:
    """The same photos, their coats of arms told by the pieces that each shows, which are in the common lattice.

    It is the very same joint where that changes nothing worth asking the rules again.
    """
    placed = tuple(_beside(net, *own, catalogue) for own in zip(joint.placed, pieces, strict=True))
    if all(now is before for now, before in zip(placed, joint.placed, strict=True)):
        return joint
    return replace(joint, placed=placed, logits=joined_logits(placed, joint.squares, prior_of(catalogue)))


def _beside(net: Net, placed: PlacedSurvey, pieces: Sequence[Piece], catalogue: Catalogue) -> PlacedSurvey:
    survey, back = placed.survey, placed.step.inverse()
    if survey.logits.coats is None:
        return placed
    hidden = hidden_in(net, survey, survey.logits.coats, [moved(piece, back) for piece in pieces], catalogue)
    before, twins = survey.logits.layouts, _twins(net)
    layouts = log_softmax(coats_beside_pieces(before, twins, survey.logits.coats, hidden))
    if np.abs(np.exp(layouts) - np.exp(before)).max() < CHANGE_LEAST:
        return placed
    told = replace(survey, logits=replace(survey.logits, layouts=layouts))
    return PlacedSurvey.at(told, placed.step, catalogue)


def hidden_in(net: Net, survey: Survey, coats: SeenCoats, pieces: Sequence[Piece], catalogue: Catalogue) -> Floats:
    """(n,) how far pieces hide the coat of arms that each square of a photo may have, 0 to 1.

    `pieces` are in the photo's own lattice, the squares in the order of its logits.
    """
    camera = camera_over(survey.lattice.warp().homography, (survey.photo.width, survey.photo.height))
    leans = leans_at(camera, np.array([piece.at for piece in pieces]).reshape(-1, 2))
    cells = hidden_cells(survey.squares, pieces, leans)
    hidden = np.sqrt(np.minimum(cells.mean(axis=(1, 2)) / TILE_HIDDEN, 1))
    pairs, odds = likely_pairs(survey.logits.layouts, coats, _twins(net))
    tiles = [turned_layouts(catalogue)[number] for number in _twins(net)[pairs, 0].tolist()]
    asked = np.flatnonzero((np.abs(odds) < UNSURE) & (hidden > 0)).tolist()
    clear = [i for i in np.argsort(odds).tolist() if odds[i] > SURELY and hidden[i] < HARDLY_HIDDEN]
    surest = {tiles[i][0]: i for i in clear}
    models = {tile: surest[tile] for tile in dict.fromkeys(tiles[i][0] for i in asked) if tile in surest}
    places = _places(net, coats, pairs, list(models.values()))
    upright = {tile: np.rot90(places[i], tiles[i][1]) for tile, i in models.items()}
    for i in asked:
        tile, turns = tiles[i]
        if tile in upright:
            ways = range(turns % catalogue[tile].symmetry, 4, catalogue[tile].symmetry)
            share = max(float((np.rot90(upright[tile], -way) * cells[i]).sum()) for way in ways)
            hidden[i] = min(share / COAT_HIDDEN, 1)
    return np.asarray(hidden)


def _places(net: Net, coats: SeenCoats, pairs: Ints, squares: Sequence[int]) -> dict[int, Floats]:
    """Where the coats of arms lie that are seen on squares with such numbers, by these."""
    if not squares:
        return {}
    found = places_of_coats(net, coats.crops[list(squares)], _twins(net)[pairs[list(squares)]])
    return dict(zip(squares, found, strict=True))


def likely_pairs(layouts: Floats, coats: SeenCoats, twins: Ints) -> tuple[Ints, Floats]:
    """(n,) the number of the twins that each of n squares is likeliest one of, and the net's odds of the coat there."""
    pairs = np.logaddexp(layouts[:, twins[:, 0]], layouts[:, twins[:, 1]]).argmax(axis=1)
    return pairs, coats.odds[np.arange(len(pairs)), pairs]


def hidden_cells(squares: Sequence[Square], pieces: Sequence[Piece], leans: Floats) -> Floats:
    """(n, CELLS, CELLS) how likely a piece hides each cell of n squares.

    `leans` (p, 2) are those of something one tile tall at each of the pieces.
    """
    along = (np.arange(CELLS) + 0.5) / CELLS
    cells = np.stack(np.meshgrid(along, along), axis=-1)
    corners = np.array(squares, np.float64).reshape(-1, 1, 1, 2)[..., ::-1]
    hidden = np.zeros((len(squares), CELLS, CELLS))
    for piece, head in zip(pieces, TALL * leans, strict=True):
        near = np.linalg.norm(corners[:, 0, 0] + 0.5 - piece.at, axis=1) < 1 + np.linalg.norm(head)
        points = corners[near] + cells - piece.at
        up = np.clip(points @ head / max(float(head @ head), 1e-12), 0, 1)
        away = np.linalg.norm(points - up[..., None] * head, axis=-1)
        hidden[near] = np.maximum(hidden[near], piece.presence * (away < BROAD))
    return hidden


def _twins(net: Net) -> Ints:
    return twins_of(tuple(net.metadata["classes"]))
