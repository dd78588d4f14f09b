"""Calibrate what is said of maps of World Wonders, on photos in arts neither trained on nor measured.

    for art in basalt cedar copper; do
        python -m datasets.world_wonders --out runs/$art --count 12 --seed 31 --art $art --tabletops checks; done
    python -m models.calibration.maps runs/basalt runs/cedar runs/copper

It writes the net's temperatures into its metadata, and prints its numbers of `models/calibration.toml`; with `--write`
they go there.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from datasets.render.game_enrolment import load_enrolment
from models.calibration.doubt import fit_scaling
from models.calibration.file import write_fitted
from models.training.calibrate_classifier import write_metadata
from models.training.temperature import fit_temperature
from scoring.spots.text import SpotLabel, parse_label
from scoring.world_wonders.game import GAME
from vision.arrays import Floats, Ints
from vision.enrolment.games import GameEnrolment
from vision.errors import ReadingError
from vision.evaluation.world_wonders import compare_squares
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.runtime.onnx import MODELS, Net
from vision.world_wonders.boards import Found
from vision.world_wonders.reader import WondersReader
from vision.world_wonders.squares import KINDS

Slices = tuple[slice, slice]

FILE = MODELS / "maps.onnx"
NEIGHBOURS: tuple[tuple[Slices, Slices], ...] = ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1, :], np.s_[1:, :]))
"""Squares and those to their right, squares and those below."""
TOLD = ("nothing", "road", "piece", "marker")


class Remembering(WondersReader):
    """A reader that looks for the boards of a photo once, however often it is asked; it is given the same objects."""

    def __init__(self, enrolment: GameEnrolment) -> None:
        super().__init__(enrolment)
        self._kept: dict[int, tuple[list[Found], list[Found]]] = {}

    def _boards_in(self, photo: Halves) -> tuple[list[Found], list[Found]]:
        if id(photo) not in self._kept:
            self._kept[id(photo)] = super()._boards_in(photo)
        maps, boards = self._kept[id(photo)]
        return [*maps], [*boards]


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A generated folder: its reader, and its photos with what they show."""

    own: WondersReader
    shown: Sequence[tuple[Photo, SpotLabel]]


def copy_of(folder: Path) -> Copy:
    labels = [parse_label(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("table_*.json"))]
    shown = [(Photo.from_path(folder / label.photo), label) for label in labels]
    return Copy(Remembering(load_enrolment(folder, GAME.name)), shown)


def told(own: WondersReader, photo: Photo, label: SpotLabel) -> Iterator[tuple[Floats, Ints, Floats, Ints]]:
    """Of each map in a photo: (n, kinds) logits and what is there, (m,) logits of what is joined and whether it is."""
    for colour, said in own.sighted(photo):
        squares = {name: str(value) for name, value in label.table.laid.items() if name.startswith(f"map.{colour}.")}
        rows, cols = said.seen.shape
        if len(squares) != rows * cols:
            continue
        held = np.array([[squares[f"map.{colour}.{row}.{col}"] for col in range(cols)] for row in range(rows)])
        names = [value.partition("#")[0] for value in held.ravel()]
        kinds = np.array([KINDS.index(name if name in KINDS else "monument") for name in names]).reshape(rows, cols)
        logits, joined = [], []
        for way, (here, there) in enumerate(NEIGHBOURS):
            alike = (kinds[here] == kinds[there]) & (kinds[here] > 0)
            logits.append(said.joined[here][..., way][alike])
            joined.append((held[here] == held[there])[alike].astype(np.int64))
        yield said.kinds.reshape(-1, len(KINDS)), kinds.ravel(), np.concatenate(logits), np.concatenate(joined)


def said_of(one: Copy) -> Iterator[tuple[str, float, bool]]:
    """What was said of each spot of a folder's photos, how surely, and whether it is so: kind and piece."""
    for photo, label in one.shown:
        try:
            read = {spot.id: spot for spot in one.own.read([photo]).spots}
        except ReadingError:
            continue
        laid = label.table.laid
        for player in label.table.players:
            for square in compare_squares(player, laid, read):
                if square.confidence is not None:
                    what = {"-": "nothing", "road": "road", "bridge": "road"}.get(square.read, "piece")
                    yield what, square.confidence, square.right
        for spot, value in laid.items():
            if spot in read and spot.startswith("resource."):
                yield "marker", read[spot].confidence, read[spot].value == value


def temperatures(copies: Sequence[Copy]) -> list[float]:
    """Those that fit the photos, by the net's own logits (its temperatures must be 1)."""
    found = [said for one in copies for photo, label in one.shown for said in told(one.own, photo, label)]
    kinds, there, joined, so = (np.concatenate(parts) for parts in zip(*found, strict=True))
    print(
        f"{len(there)} squares, {(kinds.argmax(1) == there).mean():.4f} right; {len(so)} seams, "
        f"{((joined > 0) == (so > 0)).mean():.4f} right"
    )
    return [fit_temperature(kinds, there), fit_temperature(np.stack([0 * joined, joined], axis=1), so)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.world_wonders` wrote")
    parser.add_argument("--write", action="store_true", help="write the numbers into the calibration file")
    options = parser.parse_args()
    write_metadata(FILE, "temperatures", "[1.0, 1.0]")
    copies = [copy_of(folder) for folder in options.folders]
    warmth = temperatures(copies)
    write_metadata(FILE, "temperatures", str(warmth))
    print(f"temperatures {warmth}")
    said: list[tuple[str, float, bool]] = []
    for one in copies:
        one.own.net, one.own.scalings = Net(FILE), {}
        said += said_of(one)
    found = []
    for what in TOLD:
        seen = [(sure, right) for kind, sure, right in said if kind == what]
        found.append(fit_scaling(what, [sure for sure, _ in seen], [right for _, right in seen]))
    for own in found:
        print(own.format_line())
    if options.write:
        write_fitted("world_wonders", found)


if __name__ == "__main__":
    main()
