"""Count the squares of bare maps that are read as anything but empty: the picture itself, otherwise lit, is the photo.

    python -m models.evaluation.grounds --noise 40 FOLDER...

The grounds are drawn noise, and the pictures of the folders that the training of `maps.onnx` leaves out, by their
names.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path

import cv2
import numpy as np

from datasets.render.photometric import photograph
from datasets.world_wonders.grounds import cut_ground, draw_noise, list_pictures
from models.samples.maps import GRID, GROUND_PX
from vision.arrays import Floats, Image
from vision.runtime.onnx import MODELS, Net
from vision.world_wonders.squares import KINDS, classify_planes, cut_squares, stack_planes

CAMERA_MM = np.array([110.0, 300.0, 500.0])
"""Place of the camera over the map. A guess."""


def count_read_squares(ground: Image, rng: np.random.Generator, net: Net, strength: float = 0.7) -> Floats:
    """Return how often each of KINDS (n,) is read on a bare map whose ground (h, w, 3) has GROUND_PX."""
    picture = np.asarray(cv2.resize(ground, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.uint8)
    view, visible = photograph(picture, rng, strength), np.full(picture.shape[:2], 255, np.uint8)
    planes = stack_planes(view, visible, picture, CAMERA_MM, GRID)
    kinds = classify_planes(planes, cut_squares(visible, GRID), GRID, net).kinds.argmax(axis=2)
    return np.bincount(kinds.ravel(), minlength=len(KINDS)).astype(np.float64)


def stream_grounds(noise: int, folders: Sequence[Path], seed: int) -> Iterator[tuple[str, Image]]:
    """Yield grounds with their names: noise, and pictures kept for tests."""
    for number in range(noise):
        rng = np.random.default_rng([seed, number])
        yield f"noise {number}", cut_ground(draw_noise(rng), rng, GROUND_PX)
    for number, file in enumerate(list_pictures(folders, is_tested=True)):
        picture = cv2.imread(str(file))
        if picture is not None:
            yield str(file), cut_ground(np.asarray(picture), np.random.default_rng([seed, noise, number]), GROUND_PX)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folders", type=Path, nargs="*", help="folders of pictures")
    parser.add_argument("--noise", type=int, default=40, help="number of grounds of noise")
    parser.add_argument("--seed", type=int, default=62)
    options = parser.parse_args(arguments)
    net, total = Net(MODELS / "maps.onnx"), np.zeros(len(KINDS))
    for number, (name, ground) in enumerate(stream_grounds(options.noise, options.folders, options.seed)):
        counts = count_read_squares(ground, np.random.default_rng([options.seed, 1, number]), net)
        total += counts
        if counts[1:].any():
            print(f"{name}: " + ", ".join(f"{kind} {count:.0f}" for kind, count in zip(KINDS, counts, strict=True)))
    print(f"{total[1:].sum():.0f} of {total.sum():.0f} squares are read as something")


if __name__ == "__main__":
    main()
