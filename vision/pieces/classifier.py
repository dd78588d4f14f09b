"""Classification of possible feet: a piece or none, its colour and pose, and the exact position of its foot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.calibration import load_weights
from vision.arrays import EVEN_ODDS, FLOOR, SUREST, Floats, Image, compute_sigmoid, compute_softmax
from vision.colour.appearance import measure_paints, measure_print_difference
from vision.geometry.camera import compute_leans, estimate_camera
from vision.geometry.warp import project_to_photo, scale_warp
from vision.pieces.crops import (
    compute_stand_corners,
    crop_stands,
    estimate_heights,
    extract_bodies,
    move_feet,
    round_feet,
)
from vision.reading.piece import Piece
from vision.reading.values import Warp
from vision.runtime.onnx import Net

LOOK_AGAIN = 0.05
"""Minimum presence of a place that is examined again, at the foot found by the first look. A guess."""
SEEMING = 0.35
"""Minimum probability by the finder of a place that is examined again as well. Measured: it is reached by 9 in
10 feet.
"""
SAME_FOOT = 0.17
"""Maximum distance of 2 feet that are one, in tiles. A guess."""
SAME_PIECE = 0.3
"""Maximum distance of 2 places of one colour that may be one piece, found at its body and at its foot, in tiles. A
guess.
"""
ON_BODY, OVER = 0.1, 1.2
"""Maximum distance of a duplicate from the line between a piece's foot and its head, in tiles, and length of that line
relative to the piece: the head of a piece that leans away from a low camera may be found again.

Measured: on 200 tables seen from 30 to 90 degrees (row 6 of `docs/evaluation.md`, and its calibration tables of the
seeds 171 and 177), false pieces beside a certain piece of the same paint were within 0.05.
"""
BY_ITSELF = 0.7
"""Minimum presence by the classifier at which a piece may stand behind that line. Measured: of 38 such heads, 5 reach
it, and a piece half hidden by another is no more certain. No command prints this.
"""
NAMED_SURE = 0.99
"""Minimum certainty of a presence, and of a likely piece's colour and pose; below it, the mirror is classified as well.
A guess."""
PRINTED, PRINTED_NAT = 8.0, 1.5
"""Difference from the print behind it below which a piece is unlikely, and the deficit that counts as 1 nat against it,
in Lab units. Measured: set on tables of calibration art so that the most certain pieces of real tables with such
differences still count.
"""


class PresenceWeights(NamedTuple):
    """Weights of the evidence for a piece at a place, and an offset.

    The evidence is the logit of the net that classifies the place (`classifier`), that of the net which found it
    (`finder`), its similarity to a certain piece elsewhere (`likeness`), and the probability of its having the colour
    of a player with certain pieces elsewhere (`company`).
    """

    classifier: float
    finder: float
    offset: float
    likeness: float
    company: float

    def weigh(self, classifier_logits: Floats, finder_logits: Floats) -> Floats:
        """Return the logits (n,) of a piece at each place from both nets' logits, before other pieces are
        considered.
        """
        return self.classifier * classifier_logits + self.finder * finder_logits + self.offset


def load_presence_weights() -> PresenceWeights:
    """Return the weights of the evidence for a piece, from the calibration file.

    The weights were set by whole readings of tables of calibration art, close to a regression over places (`python -m
    models.calibration.presence`). Raises ScoringError `models_missing` if the file is missing.
    """
    row = load_weights("carcassonne", "presence")["piece"]
    return PresenceWeights(*(row[name] for name in PresenceWeights._fields))


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A photo at `scale`, and its version without pieces from `vision.pieces.background`."""

    image: Image
    bare: Image
    scale: float


def classify_pieces(net: Net, table: Table, warp: Warp, feet: Floats, seeming: Floats) -> list[Piece]:
    """Return possible pieces at (n, 2) lattice places with (n,) probabilities by the finder: some pieces repeated, at
    most places none.
    """
    if not len(feet):
        return []
    feet = round_feet(feet)
    out, leans, _ = _looked_at(net, table, warp, feet)
    again = (_presence(out) > LOOK_AGAIN) | (seeming >= SEEMING)
    if not again.any():
        return []
    feet, seeming = round_feet(move_feet(feet[again], leans[again], _moves(out[again]))), seeming[again]
    out, leans, pictures = _looked_at(net, table, warp, feet)
    lengths = np.linalg.norm(leans, axis=1)
    out = _with_mirrors(net, out, pictures, lengths)
    moves, (colours, poses) = _moves(out), _names(net, out)
    high = estimate_heights(poses, net.metadata["poses"])
    bodies = extract_bodies(pictures, lengths, moves, high)
    net_presence = _unless_printed(_presence(out), measure_print_difference(bodies))
    presence, painted = combine_presence(net_presence, seeming), measure_paints(bodies)
    stands = move_feet(feet, leans, moves)
    heads = stands + leans * high[:, None]
    whole = _mask_shown(stands, warp, table) & _mask_shown(heads, warp, table)
    return [
        Piece(
            at=(col, row),
            presence=float(presence[i]),
            colours=colours[i],
            poses=poses[i],
            paint=painted[i],
            seen=net_presence[i],
            seeming=seeming[i],
            said=colours[i],
            head=(float(heads[i, 0]), float(heads[i, 1])),
            whole=bool(whole[i]),
        )
        for i, (col, row) in enumerate(stands.tolist())
    ]


def _mask_shown(places: Floats, warp: Warp, table: Table) -> NDArray[np.bool_]:
    """Return a mask (n,) of the (n, 2) lattice places that lie in the photo."""
    pixels = project_to_photo(warp, places) * table.scale
    return np.asarray(((pixels >= 0) & (pixels < table.image.shape[1::-1])).all(axis=1))


def _presence(out: NDArray[np.float32]) -> Floats:
    """Return the probability (n,) of a piece at each place."""
    return compute_sigmoid(out[:, 0].astype(np.float64))


def _unless_printed(presence: Floats, unlike: Floats) -> Floats:
    """Return the presence (n,) of pieces given their difference from the print (Lab units, NaN if unknown)."""
    nats = np.nan_to_num(np.maximum(PRINTED - unlike, 0)) / PRINTED_NAT
    return np.asarray(presence / (presence + (1 - presence) * np.exp(nats)))


def combine_presence(classifier: Floats, finder: Floats) -> Floats:
    """Return the presence (n,) of pieces from the net that classifies the places and the one that found them."""
    logits = load_presence_weights().weigh(logit(classifier), logit(finder))
    return np.asarray(np.clip(compute_sigmoid(logits), SUREST, 1 - SUREST))


def logit(probability: Floats) -> Floats:
    """Return the logits (...) of (...) probabilities, finite for 0 and 1 as well."""
    sure = np.clip(probability, SUREST, 1 - SUREST)
    return np.asarray(np.log(sure / (1 - sure)))


def _looked_at(net: Net, table: Table, warp: Warp, feet: Floats) -> tuple[NDArray[np.float32], Floats, Image]:
    """Return the net's outputs (n, outputs) for the pictures around (n, 2) lattice places, their leans (n, 2), and the
    pictures.
    """
    h, w = table.image.shape[:2]
    camera = estimate_camera(scale_warp(warp, table.scale).homography, (w, h))
    leans = compute_leans(camera, feet)
    corners = project_to_photo(warp, compute_stand_corners(feet, leans).reshape(-1, 2)).reshape(-1, 4, 2) * table.scale
    lengths = np.linalg.norm(leans, axis=1).astype(np.float32)
    pictures = crop_stands(table.image, table.bare, corners)
    (out,) = net(pictures, leans=lengths)
    return out, leans, pictures


def _with_mirrors(net: Net, out: NDArray[np.float32], pictures: Image, lengths: Floats) -> NDArray[np.float32]:
    """Return the net's outputs (n, outputs); if it is uncertain, the mean over a picture and its mirror image."""
    named = np.min([odds.max(axis=1) for odds in _names(net, out)], axis=0)
    presence = _presence(out)
    sure = np.where(presence > EVEN_ODDS, np.minimum(presence, named), 1 - presence)
    unsure = np.flatnonzero(sure < NAMED_SURE)
    if not len(unsure):
        return out
    mirrors = np.ascontiguousarray(pictures[unsure][:, :, ::-1])
    (mirrored,) = net(mirrors, leans=lengths[unsure].astype(np.float32))
    mirrored[:, -2] *= -1
    both = out.copy()
    both[unsure] = (out[unsure] + mirrored) / 2
    return both


def _names(net: Net, out: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """Return the odds (n, colours) and (n, poses) from the net's outputs (n, outputs)."""
    first = 1 + len(net.metadata["colours"])
    last = first + len(net.metadata["poses"])
    odds = out.astype(np.float64)
    return compute_softmax(odds[:, 1:first], axis=1), compute_softmax(odds[:, first:last], axis=1)


def _moves(out: NDArray[np.float32]) -> Floats:
    """Return the offsets (n, 2) from the places to the feet, right and down in the pictures, in tiles."""
    return np.clip(out[:, -2:].astype(np.float64), -0.3, 0.3)


def compute_feet_distance(piece: Piece, other: Piece) -> float:
    """Return the distance of 2 feet, in tiles."""
    return float(np.hypot(piece.at[0] - other.at[0], piece.at[1] - other.at[1]))


def merge_duplicate_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the most likely of the pieces whose feet are one: a piece seen twice, or a piece and its shadow.

    A piece so close to a more likely one of its colour that it may be the same, seen twice, keeps only the probability
    that they are 2, by their poses. If it is more likely the same, it is not used as evidence against places beside it.
    """
    unique_pieces: list[Piece] = []
    seen_again: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: -piece.presence):
        if any(_is_one(piece, other) for other in unique_pieces):
            continue
        are_two = [estimate_two(compute_pose_agreement(piece, o)) for o in unique_pieces if may_be_one(piece, o)]
        likely = replace(piece, presence=piece.presence * min(are_two)) if are_two else piece
        if min(are_two, default=1.0) >= EVEN_ODDS:
            unique_pieces.append(likely)
        elif not any(compute_feet_distance(piece, other) < SAME_FOOT for other in seen_again):
            seen_again.append(likely)
    apart = [p for p in seen_again if all(compute_feet_distance(p, other) >= SAME_FOOT for other in unique_pieces)]
    return [*unique_pieces, *apart]


def _is_one(piece: Piece, other: Piece) -> bool:
    """Return whether a piece certainly is a more likely one, seen twice."""
    if compute_feet_distance(piece, other) < SAME_FOOT:
        return True
    return piece.seen < BY_ITSELF and have_one_colour(piece, other) and _off_body(piece, other) < ON_BODY


def may_be_one(piece: Piece, other: Piece) -> bool:
    """Return whether 2 places of one colour are close enough to show one piece, but too far apart for one foot."""
    return SAME_FOOT <= compute_feet_distance(piece, other) < SAME_PIECE and have_one_colour(piece, other)


def estimate_two(agreement: float) -> float:
    """Estimate the probability that 2 places that `may_be_one` piece are 2, from the probability that they show one
    pose.

    The agreement of 2 pieces is uniformly distributed; that of one piece follows a power law with exponent `power`.
    """
    weights = load_weights("carcassonne", "touching")["two_poses"]
    one = (weights["power"] + 1) * max(agreement, SUREST) ** weights["power"] * (1 - weights["share"])
    return float(weights["share"] / (weights["share"] + one))


def have_one_colour(piece: Piece, other: Piece) -> bool:
    """Return whether 2 places most likely show the same colour."""
    return int(np.argmax(piece.colours)) == int(np.argmax(other.colours))


def compute_pose_agreement(piece: Piece, other: Piece) -> float:
    """Return the probability that 2 places show the same pose: one that stands and one that lies are 2 pieces."""
    return float(piece.poses @ other.poses)


def _off_body(piece: Piece, other: Piece) -> float:
    """Return the distance, in tiles, of a foot from another piece's visible body; NaN if unknown."""
    foot, body = np.array(other.at), OVER * (np.array(other.head) - other.at)
    along = np.clip((piece.at - foot) @ body / max(float(body @ body), FLOOR), 0, 1)
    return float(np.linalg.norm(piece.at - foot - along * body))
