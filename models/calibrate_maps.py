"""Calibrate what is said of maps of World Wonders, on photos in arts neither trained on nor measured.

    for art in basalt cedar copper; do
        python -m datasets.world_wonders --out runs/$art --count 12 --seed 31 --art $art --tabletops checks; done
    python -m models.calibrate_maps runs/basalt runs/cedar runs/copper

It writes the net's temperatures into its metadata, and prints the numbers of `vision.world_wonders.honest`.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from datasets.enrolled import enrolled
from datasets.world_wonders.figures import squares_read
from models.calibrate import write_metadata
from models.calibrate_doubt import fitted
from models.temperature import temperature_of
from scoring.spot_text import SpotLabel, read_label
from scoring.world_wonders.game import GAME
from vision.errors import ReadingError
from vision.nets import MODELS
from vision.photo import Photo
from vision.world_wonders.reader import WondersReader, reader
from vision.world_wonders.squares import KINDS

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Slices = tuple[slice, slice]

FILE = MODELS / "maps.onnx"
NEIGHBOURS: tuple[tuple[Slices, Slices], ...] = ((np.s_[:, :-1], np.s_[:, 1:]), (np.s_[:-1, :], np.s_[1:, :]))
"""Squares and those to their right, squares and those below."""
TOLD = ("nothing", "road", "piece", "marker")


def told(own: WondersReader, folder: Path, label: SpotLabel) -> Iterator[tuple[Floats, Ints, Floats, Ints]]:
    """Of each map in a photo: (n, kinds) logits and what is there, (m,) logits of what is joined and whether it is."""
    for colour, said in own.sighted(Photo.from_path(folder / label.photo)):
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


def labels_of(folder: Path) -> list[SpotLabel]:
    """The labels of a generated folder."""
    return [read_label(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("table_*.json"))]


def said_of(own: WondersReader, folder: Path) -> Iterator[tuple[str, float, bool]]:
    """What was said of each spot of a folder's photos, how surely, and whether it is so: kind and piece."""
    for label in labels_of(folder):
        try:
            read = {spot.id: spot for spot in own.read([Photo.from_path(folder / label.photo)]).spots}
        except ReadingError:
            continue
        laid = label.table.laid
        for player in label.table.players:
            for square in squares_read(player, laid, read):
                if square.confidence is not None:
                    what = {"-": "nothing", "road": "road", "bridge": "road"}.get(square.read, "piece")
                    yield what, square.confidence, square.right
        for spot, value in laid.items():
            if spot in read and spot.startswith("resource."):
                yield "marker", read[spot].confidence, read[spot].value == value


def temperatures(folders: Sequence[Path], readers: Sequence[WondersReader]) -> list[float]:
    """Those that fit the photos of folders, by the net's own logits (its temperatures must be 1)."""
    found = [
        one
        for folder, own in zip(folders, readers, strict=True)
        for label in labels_of(folder)
        for one in told(own, folder, label)
    ]
    kinds, there, joined, so = (np.concatenate(parts) for parts in zip(*found, strict=True))
    print(
        f"{len(there)} squares, {(kinds.argmax(1) == there).mean():.4f} right; {len(so)} seams, "
        f"{((joined > 0) == (so > 0)).mean():.4f} right"
    )
    return [temperature_of(kinds, there), temperature_of(np.stack([0 * joined, joined], axis=1), so)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="+", help="what `python -m datasets.world_wonders` wrote")
    folders = parser.parse_args().folders
    write_metadata(FILE, "temperatures", "[1.0, 1.0]")
    readers = [reader(enrolled(folder, GAME.name)) for folder in folders]
    warmth = temperatures(folders, readers)
    write_metadata(FILE, "temperatures", str(warmth))
    print(f"temperatures {warmth}")
    said: list[tuple[str, float, bool]] = []
    for folder in folders:
        own = reader(enrolled(folder, GAME.name))
        own.honesty = {}
        said += said_of(own, folder)
    for what in TOLD:
        seen = [(sure, right) for kind, sure, right in said if kind == what]
        slope, offset = fitted([sure for sure, _ in seen], [right for _, right in seen])
        whole, so = sum(sure for sure, _ in seen), sum(right for _, right in seen)
        print(f'    "{what}": ({slope:.2f}, {offset:.2f}),  # {len(seen)} told, {so} of them so, {whole:.1f} by that')


if __name__ == "__main__":
    main()
