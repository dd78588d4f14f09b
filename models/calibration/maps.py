"""Calibrate the readings of maps of World Wonders, on photos in arts neither trained on nor measured.

    for art in basalt cedar copper; do
        python -m datasets.world_wonders --out runs/$art --count 12 --seed 31 --art $art --tabletops checks; done
    python -m models.calibration.maps runs/basalt runs/cedar runs/copper

The command prints the net's temperatures and its rows of `models/calibration.toml`: first the costs of pieces, which
maximise the likelihood of the true ones, then the calibration of what is read. `--write` writes the rows there, and the
temperatures into the net's metadata, since they belong to the weights.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import get_args

import numpy as np
from scipy.optimize import minimize

from datasets.render.empty_boards import load_enrolment
from models.calibration.doubt import fit_scaling
from models.calibration.file import FittedRow, TooFewCasesError, add_write_option, refuse, report_rows
from models.training.calibrate_classifier import write_metadata
from models.training.temperature import fit_temperature
from scoring.connected_squares import group_connected_squares
from scoring.spots.game import Laid
from scoring.spots.text import SpotLabel, parse_label
from scoring.world_wonders.game import GAME
from scoring.world_wonders.kinds import NOTHING
from vision.arrays import Floats, Ints
from vision.enrolment.games import GameEnrolment
from vision.errors import ReadingError
from vision.evaluation.world_wonders import compare_squares
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.runtime.onnx import MODELS
from vision.world_wonders.boards import Found
from vision.world_wonders.monuments import parse_spot_square
from vision.world_wonders.pieces import PieceCosts, Shape, Square, find_pieces, load_piece_costs
from vision.world_wonders.reader import Kind, WondersReader, classify_kind
from vision.world_wonders.squares import KINDS, Sighted

MAX_COST_TRIES = 40
"""Maximum number of evaluations in the search for the costs. Bounds time."""
MIN_TRUE_PROBABILITY = 1e-4
"""Minimum probability of the true piece, also if it is not among the alternatives. A guess."""

Slices = tuple[slice, slice]

FILE = MODELS / "maps.onnx"
"""The net whose temperatures are written."""
NEIGHBOURS: tuple[tuple[Slices, Slices], ...] = ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1, :], np.s_[1:, :]))
"""Squares and those to their right, squares and those below."""


class CachingReader(WondersReader):
    """A reader that looks for the boards of a photo once, provided that it is given the same objects."""

    def __init__(self, enrolment: GameEnrolment) -> None:
        super().__init__(enrolment)
        self._cache: dict[int, tuple[list[Found], list[Found]]] = {}

    def _boards_in(self, photo: Halves) -> tuple[list[Found], list[Found]]:
        if id(photo) not in self._cache:
            self._cache[id(photo)] = super()._boards_in(photo)
        maps, boards = self._cache[id(photo)]
        return [*maps], [*boards]


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A generated folder: its reader, and its photos with their labels."""

    reader: WondersReader
    photos: Sequence[tuple[Photo, SpotLabel]]


def load_copy(folder: Path) -> Copy:
    """Return a generated folder as a copy of the game with photos of it."""
    labels = [parse_label(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("table_*.json"))]
    photos = [(Photo.from_path(folder / label.photo), label) for label in labels]
    return Copy(CachingReader(load_enrolment(folder, GAME.name)), photos)


def collect_logits(
    reader: WondersReader, photo: Photo, label: SpotLabel
) -> Iterator[tuple[Floats, Ints, Floats, Ints]]:
    """Yield for each map in a photo (n, kinds) logits, the true kinds, (m,) logits of seams, whether they join."""
    for colour, sighted in reader.sighted(photo):
        squares = {name: str(value) for name, value in label.table.laid.items() if name.startswith(f"map.{colour}.")}
        rows, cols = sighted.seen.shape
        if len(squares) != rows * cols:
            continue
        values = np.array([[squares[f"map.{colour}.{row}.{col}"] for col in range(cols)] for row in range(rows)])
        names = [value.partition("#")[0] for value in values.ravel()]
        kinds = np.array([KINDS.index(name if name in KINDS else "monument") for name in names]).reshape(rows, cols)
        logits, joined = [], []
        for way, (here, there) in enumerate(NEIGHBOURS):
            alike = (kinds[here] == kinds[there]) & (kinds[here] > 0)
            logits.append(sighted.joined[here][..., way][alike])
            joined.append((values[here] == values[there])[alike].astype(np.int64))
        yield sighted.kinds.reshape(-1, len(KINDS)), kinds.ravel(), np.concatenate(logits), np.concatenate(joined)


@dataclass(frozen=True, slots=True, eq=False)
class KnownMap:
    """A map as the net sees it, the shapes that its pieces may have, and the true piece on each square."""

    sighted: Sighted
    shapes: Mapping[str, Sequence[Shape] | None]
    truth: Mapping[Square, tuple[str, frozenset[Square]]]


def collect_known_maps(copy: Copy) -> Iterator[KnownMap]:
    """Yield the maps found in a folder's photos, except those of players who do not take part."""
    for photo, label in copy.photos:
        for colour, sighted in copy.reader.sighted(photo):
            if colour in label.table.players:
                yield KnownMap(sighted, copy.reader.shapes, _list_true_pieces(label.table.laid, colour))


def _list_true_pieces(laid: Laid, colour: str) -> dict[Square, tuple[str, frozenset[Square]]]:
    """List the kind and the squares of the piece on each square of a player's map; empty squares stand alone."""
    values = {parse_spot_square(spot): str(value) for spot, value in laid.items() if spot.startswith(f"map.{colour}.")}
    pieces: dict[Square, tuple[str, frozenset[Square]]] = {}
    for value in set(values.values()):
        squares = [square for square, other in values.items() if other == value]
        name = value.partition("#")[0]
        kind = name if name in KINDS else KINDS[-1]
        parts = [frozenset({square}) for square in squares] if value == NOTHING else group_connected_squares(squares)
        pieces |= {square: (kind, frozenset(part)) for part in parts for square in part}
    return pieces


def fit_costs(maps: Sequence[KnownMap]) -> FittedRow:
    """Return the row of the costs of pieces that maximise the likelihood of the true ones, square by square."""

    def compute_nats(costs: Floats) -> float:
        return float(np.mean([nats for known in maps for nats in _compute_true_nats(known, PieceCosts(*costs))]))

    found = minimize(compute_nats, load_piece_costs(), method="Nelder-Mead", options={"maxfev": MAX_COST_TRIES})
    costs = PieceCosts(*(round(float(cost), 1) for cost in found.x))
    nats = [nats for known in maps for nats in _compute_true_nats(known, costs)]
    counts = {"squares": len(nats), "wrong": sum(each > math.log(2) for each in nats)}
    return FittedRow("pieces", "cost", costs._asdict(), counts, len(nats))


def _compute_true_nats(known: KnownMap, costs: PieceCosts) -> Iterator[float]:
    """Yield the negative log-likelihood of the true piece on each square that the photo shows."""
    pieces = find_pieces(known.sighted, known.shapes, None, costs)
    for square, (kind, squares) in known.truth.items():
        if known.sighted.seen[square]:
            likely = sum(
                piece.probability
                for piece in pieces.others.get(square, ())
                if piece.name == kind and squares == {*piece.squares}
            )
            yield -math.log(max(likely, MIN_TRUE_PROBABILITY))


def judge_spots(copy: Copy, costs: PieceCosts) -> Iterator[tuple[str, float, bool]]:
    """Yield the kind of reading of each spot, its confidence before calibration, and whether its kind and piece are
    right."""
    copy.reader.piece_costs, copy.reader.scalings = costs, {}
    for photo, label in copy.photos:
        try:
            read = {spot.id: spot for spot in copy.reader.read([photo]).spots}
        except ReadingError:
            continue
        truth = label.table.laid
        for player in label.table.players:
            for square in compare_squares(player, truth, read):
                if square.confidence is not None:
                    yield classify_kind(square.read), square.confidence, square.right
        for spot, value in truth.items():
            if spot in read and spot.startswith("resource."):
                yield "marker", read[spot].confidence, read[spot].value == value


def fit_temperatures(copies: Sequence[Copy]) -> list[float]:
    """Return the temperatures of kinds and seams that fit the photos; those of the net must be 1.

    Raises TooFewCasesError if no photo shows a map.
    """
    maps = [
        logits
        for copy in copies
        for photo, label in copy.photos
        for logits in collect_logits(copy.reader, photo, label)
    ]
    if not maps:
        raise TooFewCasesError("no photo shows a map")
    kinds, true_kinds, seams, joined = (np.concatenate(parts) for parts in zip(*maps, strict=True))
    print(
        f"{len(true_kinds)} squares, {(kinds.argmax(1) == true_kinds).mean():.4f} right; {len(joined)} seams, "
        f"{((seams > 0) == (joined > 0)).mean():.4f} right"
    )
    return [fit_temperature(kinds, true_kinds), fit_temperature(np.stack([0 * seams, seams], axis=1), joined)]


def fit_kinds(spots: Sequence[tuple[str, float, bool]]) -> Iterator[FittedRow]:
    """Yield slope and offset of every kind, given the kind and confidence of each spot and whether it is right."""
    for name in get_args(Kind):
        pairs = [(confidence, is_right) for kind, confidence, is_right in spots if kind == name]
        yield fit_scaling(name, [confidence for confidence, _ in pairs], [is_right for _, is_right in pairs])


def set_temperatures(copies: Sequence[Copy], temperatures: Sequence[float]) -> None:
    """Set the temperatures of the nets that read the copies; the file they come from stays as it is."""
    for copy in copies:
        copy.reader.net.metadata["temperatures"] = temperatures


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="folders written by `python -m datasets.world_wonders`")
    add_write_option(parser)
    options = parser.parse_args(arguments)
    copies = [load_copy(folder) for folder in options.folders]
    set_temperatures(copies, [1.0, 1.0])
    try:
        temperatures = fit_temperatures(copies)
    except TooFewCasesError as error:
        refuse(str(error))
    print(f"temperatures {temperatures}")
    set_temperatures(copies, temperatures)
    costs = fit_costs([known for copy in copies for known in collect_known_maps(copy)])
    spots = [spot for copy in copies for spot in judge_spots(copy, PieceCosts(**costs.fitted))]
    tables = {"tables": sum(len(copy.photos) for copy in copies)}
    report_rows("world_wonders", [costs, *fit_kinds(spots)], options.write, tables)
    if options.write is not None:
        write_metadata(FILE, "temperatures", str(temperatures))


if __name__ == "__main__":
    main()
