"""What stands at each possible foot: a piece or none, its colour and pose, and where exactly its foot is."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from scoring.calibration import load_weights
from vision.arrays import Floats, Image, compute_sigmoid, compute_softmax
from vision.geometry.camera import compute_leans, estimate_camera
from vision.geometry.warp import project_to_photo, scale_warp
from vision.pieces.colour_appearance import extract_bodies, measure_paints, measure_print_difference
from vision.pieces.crops import UPRIGHT, compute_stand_corners, crop_stands, estimate_heights, move_feet
from vision.reading.values import Warp
from vision.runtime.onnx import Net

LOOK_AGAIN = 0.05
"""A place that is likelier than this to show a piece is looked at again where the first look saw the foot."""
SEEMING = 0.35
"""So likely, and more, nine feet in ten seem to the net that finds them: they too are looked at again."""
SAME_FOOT = 0.17
"""Of a tile: two feet so near are one."""
SAME_PIECE = 0.3
"""Of a tile: two so near of one colour may be one piece, found at its body and at its foot."""
SUREST = 1e-6
"""Nothing is less likely, or surer by less."""
MORE_LIKELY_TWO = 0.5
"""From this probability on that two places are two pieces, both are."""
ON_BODY, OVER = 0.1, 1.2
"""Of a tile: what is so near to the line from a piece's foot up to its head, and a fifth beyond that, is the piece once
more, the head of one that leans away from a camera that stands low.

On 200 tables seen from 30 to 90 degrees (row 6 of `docs/evaluation.md`, and its calibration tables of the seeds 171 and
177) what was found beside a sure piece of one paint and is none lay within 0.05."""
BY_ITSELF = 0.7
"""What the net that looks closely makes so likely may stand behind that piece: of 38 such heads it makes five as
likely, and of a piece that another hides by half it is no surer. No command prints these two again."""
UNSURE = 5.0
"""In nats: where a net is less sure whether a piece stands there, its picture's mirror is asked as well."""
NAMED_SURE = 0.99
"""Likewise where one likely stands whose colour or pose is less sure."""
PRINTED, PRINTED_NAT = 8.0, 1.5
"""In Lab units: what differs less from the print behind it is hardly a piece, and how much less is a nat against it.
Set on tables of calibration art, so that the surest pieces of real tables which differ as little still count."""


class PresenceWeights(NamedTuple):
    """How much each witness counts for a piece at a place, and an offset.

    The witnesses are the logit of the net that looks at the place (`classifier`), that of the net which found it
    (`finder`), how much the place looks like a sure piece elsewhere (`likeness`), and how likely it has the colour of
    somebody who has sure pieces elsewhere (`company`).
    """

    classifier: float
    finder: float
    offset: float
    likeness: float
    company: float

    def weigh(self, classifier_logits: Floats, finder_logits: Floats) -> Floats:
        """Return (n,) logits of a piece at each place by both nets' logits, before other pieces count."""
        return self.classifier * classifier_logits + self.finder * finder_logits + self.offset


def load_presence_weights() -> PresenceWeights:
    """Return how much the witnesses for a piece count, from the calibration file.

    The weights were set by whole readings of tables of calibration art, near what a regression over places gives
    (`python -m models.calibration.presence`). Raises ScoringError `models_missing` where the file is not there.
    """
    row = load_weights("carcassonne", "presence")["piece"]
    return PresenceWeights(*(row[name] for name in PresenceWeights._fields))


@dataclass(frozen=True, slots=True, eq=False)
class Table:
    """A photo at `scale`, and the same without its pieces: what `vision.pieces.background` makes of it."""

    image: Image
    bare: Image
    scale: float


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """A piece with its foot `at` lattice units (col, row): how likely it is there, and the odds of its names.

    Of its colour, its pose and its kind; the last are (1,) where nobody looked for kinds
    (`vision.pieces.kind_classifier`). `paint` is its colour in the photo (`vision.pieces.colour_appearance`). `seen`
    and `seeming` are how likely each net alone makes it, `said` the odds of its colours by the net alone, (1,) where
    that is not known. `head` is where on the table its top is seen, in lattice units, NaN where that is not known.
    """

    at: tuple[float, float]
    presence: float
    colours: Floats
    poses: Floats
    kinds: Floats = field(default_factory=lambda: np.ones(1))
    paint: Floats = field(default_factory=lambda: np.full(3, np.nan))
    seen: float = np.nan
    seeming: float = np.nan
    said: Floats = field(default_factory=lambda: np.ones(1))
    head: tuple[float, float] = (np.nan, np.nan)

    @property
    def square(self) -> tuple[int, int]:
        """The square (row, col) of the lattice on which its foot is, be there a tile or not."""
        return math.floor(self.at[1]), math.floor(self.at[0])


def classify_pieces(net: Net, table: Table, warp: Warp, feet: Floats, seeming: Floats) -> list[Piece]:
    """Return what may stand at (n, 2) lattice places, `seeming` (n,) likely to: some pieces several times, at
    most places none."""
    if not len(feet):
        return []
    out, leans, _ = _looked_at(net, table, warp, feet)
    again = (_presence(out) > LOOK_AGAIN) | (seeming >= SEEMING)
    if not again.any():
        return []
    feet, seeming = move_feet(feet[again], leans[again], _moves(out[again])), seeming[again]
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
        )
        for i, (col, row) in enumerate(stands.tolist())
    ]


def _presence(out: NDArray[np.float32]) -> Floats:
    """(n,) how likely a piece stands at each place."""
    return compute_sigmoid(out[:, 0].astype(np.float64))


def _unless_printed(presence: Floats, unlike: Floats) -> Floats:
    """(n,) how likely pieces stand there that are so unlike what is printed (Lab units, NaN where not known)."""
    nats = np.nan_to_num(np.maximum(PRINTED - unlike, 0)) / PRINTED_NAT
    return np.asarray(presence / (presence + (1 - presence) * np.exp(nats)))


def combine_presence(classifier: Floats, finder: Floats) -> Floats:
    """Return (n,) how likely pieces stand there: by the net that looks at the places, and by that which found them."""
    logits = load_presence_weights().weigh(logit(classifier), logit(finder))
    return np.asarray(np.clip(compute_sigmoid(logits), SUREST, 1 - SUREST))


def logit(probability: Floats) -> Floats:
    """Return the logits (...) of (...) probabilities, finite for 0 and 1 as well."""
    sure = np.clip(probability, SUREST, 1 - SUREST)
    return np.asarray(np.log(sure / (1 - sure)))


def _looked_at(net: Net, table: Table, warp: Warp, feet: Floats) -> tuple[NDArray[np.float32], Floats, Image]:
    """(n, outputs) of the net for the pictures about (n, 2) lattice places, how they lean, (n, 2), and the pictures."""
    h, w = table.image.shape[:2]
    camera = estimate_camera(scale_warp(warp, table.scale).homography, (w, h))
    leans = compute_leans(camera, feet)
    corners = project_to_photo(warp, compute_stand_corners(feet, leans).reshape(-1, 2)).reshape(-1, 4, 2) * table.scale
    lengths = np.linalg.norm(leans, axis=1).astype(np.float32)
    pictures = crop_stands(table.image, table.bare, corners)
    (out,) = net(pictures, leans=lengths)
    return out, leans, pictures


def _with_mirrors(net: Net, out: NDArray[np.float32], pictures: Image, lengths: Floats) -> NDArray[np.float32]:
    """(n, outputs) of the net; where it is not sure, the mean of a picture and its mirror, where a piece is one too."""
    named = np.min([odds.max(axis=1) for odds in _names(net, out)], axis=0)
    unsure = np.flatnonzero((np.abs(out[:, 0]) < UNSURE) | ((out[:, 0] > 0) & (named < NAMED_SURE)))
    if not len(unsure):
        return out
    mirrors = np.ascontiguousarray(pictures[unsure][:, :, ::-1])
    (mirrored,) = net(mirrors, leans=lengths[unsure].astype(np.float32))
    mirrored[:, -2] *= -1
    both = out.copy()
    both[unsure] = (out[unsure] + mirrored) / 2
    return both


def _names(net: Net, out: NDArray[np.float32]) -> tuple[Floats, Floats]:
    """(n, colours) and (n, poses) odds of (n, outputs) of the net."""
    first = 1 + len(net.metadata["colours"])
    last = first + len(net.metadata["poses"])
    odds = out.astype(np.float64)
    return compute_softmax(odds[:, 1:first], axis=1), compute_softmax(odds[:, first:last], axis=1)


def _moves(out: NDArray[np.float32]) -> Floats:
    """(n, 2) from the places to the feet, right and down in the pictures, in tiles."""
    return np.clip(out[:, -2:].astype(np.float64), -0.3, 0.3)


def compute_feet_distance(piece: Piece, other: Piece) -> float:
    """Return how far apart two feet are, in tiles."""
    return float(np.hypot(piece.at[0] - other.at[0], piece.at[1] - other.at[1]))


def merge_duplicate_pieces(pieces: Sequence[Piece]) -> list[Piece]:
    """Return the likeliest of those pieces whose feet are one: a piece seen twice, or a piece and its shadow.

    A piece so near to a likelier one of its colour that it may be that one, seen twice, is only as likely as that they
    are two, by their poses. Where it more likely is that one, what is found beside it is not held against it.
    """
    unique_pieces: list[Piece] = []
    seen_again: list[Piece] = []
    for piece in sorted(pieces, key=lambda piece: -piece.presence):
        if any(_is_one(piece, other) for other in unique_pieces):
            continue
        are_two = [estimate_two(compute_pose_agreement(piece, o)) for o in unique_pieces if may_be_one(piece, o)]
        likely = replace(piece, presence=piece.presence * min(are_two)) if are_two else piece
        if min(are_two, default=1.0) >= MORE_LIKELY_TWO:
            unique_pieces.append(likely)
        elif not any(compute_feet_distance(piece, other) < SAME_FOOT for other in seen_again):
            seen_again.append(likely)
    apart = [p for p in seen_again if all(compute_feet_distance(p, other) >= SAME_FOOT for other in unique_pieces)]
    return [*unique_pieces, *apart]


def _is_one(piece: Piece, other: Piece) -> bool:
    """Whether a piece surely is a likelier one, seen twice."""
    if compute_feet_distance(piece, other) < SAME_FOOT:
        return True
    return piece.seen < BY_ITSELF and have_one_colour(piece, other) and _off_body(piece, other) < ON_BODY


def may_be_one(piece: Piece, other: Piece) -> bool:
    """Return whether two places of one colour are so near that they may show one piece, but no one foot."""
    return SAME_FOOT <= compute_feet_distance(piece, other) < SAME_PIECE and have_one_colour(piece, other)


def estimate_two(agreement: float) -> float:
    """Estimate how likely two places that `may_be_one` piece are two, by how likely they show one pose.

    What two pieces show may agree as well as not; of one piece, agreements are spread as their `power`.
    """
    weights = load_weights("carcassonne", "touching")["two_poses"]
    one = (weights["power"] + 1) * max(agreement, SUREST) ** weights["power"] * (1 - weights["share"])
    return float(weights["share"] / (weights["share"] + one))


def have_one_colour(piece: Piece, other: Piece) -> bool:
    """Return whether two places likeliest show the same colour."""
    return int(np.argmax(piece.colours)) == int(np.argmax(other.colours))


def compute_pose_agreement(piece: Piece, other: Piece) -> float:
    """Compute how likely two places show the same pose: one that stands and one that lies are two pieces."""
    return float(piece.poses @ other.poses)


def _off_body(piece: Piece, other: Piece) -> float:
    """How far, in tiles, a foot lies from another piece's body as it is seen; NaN where that is not known."""
    foot, body = np.array(other.at), OVER * (np.array(other.head) - other.at)
    along = np.clip((piece.at - foot) @ body / max(float(body @ body), UPRIGHT**2), 0, 1)
    return float(np.linalg.norm(piece.at - foot - along * body))
