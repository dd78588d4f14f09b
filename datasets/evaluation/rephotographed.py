"""Simulated retakes of labelled photos: from another side, in other light, by a poorer camera; the truth is the same.

    python -m datasets.evaluation.rephotographed LABEL... --photos DIR --out OUT

Real tables are few, and readers become tuned to them, but a table's reading should not depend on how it was
photographed. Each photo is changed in every way of `CHANGES`, the same for the same label, read, and compared with its
label. A photo that is already in the folder is not made again. Prints for each change how many final scorings are
right, without intervals, since each table counts many times.
"""

from __future__ import annotations

import argparse
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.table import Table as Printed

from datasets.render.photometric import compress_jpeg
from datasets.render.shots import Shot
from vision.arrays import Floats, Image
from vision.errors import WondertallyError
from vision.evaluation.judge import Verdict
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import PLAIN_WIDTH, evaluate_photos, find_photo
from vision.geometry.rectification import apply_homography
from vision.photo.decoding import Photo

Size = tuple[int, int]
Change = Callable[[Image, np.random.Generator], Image]

LONGER_PX = 4000
"""Longer side of the photo to which the blur's radius refers."""


def _turned(size: Size, degrees: float) -> tuple[Floats, Size]:
    """Return the (3, 3) rotation of a picture of `size` (width, height) clockwise, and the size that holds all of
    it."""
    turn = cv2.getRotationMatrix2D((size[0] / 2, size[1] / 2), -degrees, 1.0)
    wide, high = (round(side) for side in (np.abs(turn[:, :2]) @ size).tolist())
    turn[:, 2] += ((wide - size[0]) / 2, (high - size[1]) / 2)
    return np.vstack([turn, (0, 0, 1)]), (wide, high)


def _tilted(size: Size, corners: Sequence[tuple[float, float]]) -> tuple[Floats, Size]:
    """Return the (3, 3) homography from the picture's corners, clockwise from the upper left, to these shares of its
    size."""
    shares, extent = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32), np.array(size, np.float32)
    return cv2.getPerspectiveTransform(shares * extent, np.array(corners, np.float32) * extent).astype(np.float64), size


def _shrunk(size: Size, longer: int) -> tuple[Floats, Size]:
    scale = min(1.0, longer / max(size))
    return np.diag([scale, scale, 1.0]), (round(size[0] * scale), round(size[1] * scale))


VIEWS: Mapping[str, Callable[[Size], tuple[Floats, Size]]] = {
    "a quarter turn": lambda size: _turned(size, 90),
    "turned by 23 degrees": lambda size: _turned(size, 23),
    "lower": lambda size: _tilted(size, [(0.12, 0.18), (0.88, 0.18), (1, 1), (0, 1)]),
    "from aside": lambda size: _tilted(size, [(0, 0), (0.85, 0.13), (0.85, 0.87), (0, 1)]),
    "1,500 pixels": lambda size: _shrunk(size, 1500),
    "1,000 pixels": lambda size: _shrunk(size, 1000),
}
"""Changes of view: (3, 3) from the old pixels to the new ones, and the new size."""


def _gains(*bgr: float) -> Change:
    return lambda image, rng: _clipped(image.astype(np.float32) * bgr)


def _toned(gamma: float) -> Change:
    return lambda image, rng: _clipped(255 * (image.astype(np.float32) / 255) ** gamma)


def _vivid(times: float) -> Change:
    def change(image: Image, rng: np.random.Generator) -> Image:
        grey = image.mean(axis=2, keepdims=True, dtype=np.float32)
        return _clipped(grey + (image - grey) * np.float32(times))

    return change


def _shaded(image: Image, rng: np.random.Generator) -> Image:
    """Cast the shadow of an object outside the picture over half of it."""
    height, width = image.shape[:2]
    across = np.linspace(-1, 1, width, dtype=np.float32) + np.linspace(-0.5, 0.5, height, dtype=np.float32)[:, None]
    return _clipped(image * (0.5 + 0.5 / (1 + np.exp(-14 * across)))[..., None])


def _glaring(image: Image, rng: np.random.Generator) -> Image:
    """Add the reflection of a lamp somewhere near the middle."""
    height, width = image.shape[:2]
    x, y = rng.uniform(0.3, 0.7, 2) * (width, height)
    ys, xs = np.ogrid[:height, :width]
    away = np.hypot(xs - x, ys - y) / (0.07 * max(width, height))
    return _clipped(image + (230 * np.exp(-(away**2))).astype(np.float32)[..., None])


def _soft(image: Image, rng: np.random.Generator) -> Image:
    return np.asarray(cv2.GaussianBlur(image, (0, 0), 2.2 * max(image.shape) / LONGER_PX), np.uint8)


def _noisy(image: Image, rng: np.random.Generator) -> Image:
    return _clipped(image + rng.normal(0.0, 14.0, image.shape))


def _clipped(picture: NDArray[np.floating[Any]]) -> Image:
    return np.asarray(np.clip(picture, 0, 255), np.uint8)


LOOKS: Mapping[str, Change] = {
    "dark": lambda image, rng: _noisy(_toned(1.9)(image, rng), rng),
    "bright": lambda image, rng: _clipped(
        255 - 255 * (1 - np.minimum(image.astype(np.float32) * 1.15 / 255, 1)) ** 1.15
    ),
    "warm": _gains(0.6, 0.95, 1.2),
    "a red lamp": _gains(0.55, 0.7, 1.2),
    "cool": _gains(1.2, 1.0, 0.68),
    "greenish": _gains(0.85, 1.15, 0.85),
    "half in shade": _shaded,
    "a glare": _glaring,
    "vivid": _vivid(1.5),
    "faded": _vivid(0.55),
    "soft": _soft,
    "noisy": _noisy,
    "JPEG of 35": lambda image, rng: compress_jpeg(image, 35),
}
"""Changes of light and camera."""

CHANGES = (*VIEWS, *LOOKS)


def retake(label: Mapping[str, Any], image: Image, change: str) -> tuple[dict[str, Any], Image]:
    """Change a label and its photo (h, w, 3) BGR in one way of `CHANGES`; raises KeyError for an unknown one."""
    again = deepcopy(dict(label))
    again["view"] = {**again.get("view", {}), "condition": change}
    if change in LOOKS:
        return again, LOOKS[change](image, np.random.default_rng(zlib.crc32(f"{label['photo']} {change}".encode())))
    homography, size = VIEWS[change]((image.shape[1], image.shape[0]))
    return _carried_over(again, homography), _warped(image, homography, size)


def _warped(image: Image, homography: Floats, size: Size) -> Image:
    """Warp the picture by a (3, 3) homography.

    The area beyond it gets the colour of the picture's left edge, because `vision.geometry.rectification.warp_photo`
    would smear the border there.
    """
    if not np.any(homography - np.diag(np.diag(homography))):  # only scaled down: resample without aliasing
        return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    edge = tuple(np.median(image[:, 0], axis=0).tolist())
    warped = cv2.warpPerspective(image, homography, size, borderMode=cv2.BORDER_CONSTANT, borderValue=edge)
    return np.asarray(warped, np.uint8)


def _carried_over(label: dict[str, Any], homography: Floats) -> dict[str, Any]:
    """Return the label with all its pixels mapped by a (3, 3) homography."""

    def moved(points: Sequence[Sequence[float]]) -> list[list[float]]:
        return np.round(apply_homography(homography, np.array(points, np.float64)), 2).tolist()

    if "points" in label:
        there = moved([point[:2] for point in label["points"]])
        label["points"] = [[*px, *point[2:]] for px, point in zip(there, label["points"], strict=True)]
    for entry in label.get("corners_px", ()):
        entry["corners"] = moved(entry["corners"])
    for meeple in label.get("meeples", ()):
        if "foot_px" in meeple:
            (meeple["foot_px"],) = moved([meeple["foot_px"]])
    return label


def take_again(labels: Sequence[Path], photos: Path, out: Path, changes: Sequence[str]) -> Iterator[Path]:
    """Write each label and its photo in each change to a folder, and yield the paths of all labels.

    Raises InputError, LabelError, PhotoError.
    """
    for path in labels:
        truth = load_truth(path)
        label, image = json.loads(path.read_text(encoding="utf-8")), None
        for change in changes:
            name = f"{path.stem}__{change.replace(' ', '_').replace(',', '')}"
            if not (out / f"{name}.json").is_file():
                if image is None:
                    image = Photo.from_path(find_photo(truth.photo, photos)).pixels
                again, photo = retake(label, image, change)
                Shot(photo, {**again, "id": name, "photo": f"{name}.jpg"}).save(out, name)
            yield out / f"{name}.json"


def show(verdicts: Sequence[Verdict], changes: Sequence[str], console: Console | None = None) -> None:
    """Print a line for each change and one for all; the verdicts cycle through the changes."""
    table = Printed("change", "tiles exact", "meeples found, in their colour", "final scorings right", box=None)
    for column in ("without a doubt", "wrong without a doubt"):
        table.add_column(column)
    rows = [(change, verdicts[i :: len(changes)]) for i, change in enumerate(changes)]
    for name, group in (*rows, ("all", verdicts)):
        table.add_row(name, *_cells(group))
    (console or Console(width=PLAIN_WIDTH)).print(table, highlight=False)


def _cells(verdicts: Sequence[Verdict]) -> tuple[str, ...]:
    def total(name: str) -> int:
        return sum(getattr(verdict, name) for verdict in verdicts)

    scored = [verdict for verdict in verdicts if verdict.final_true]
    return (
        f"{total('tiles_exact')} of {total('tiles')}",
        f"{total('meeples_found')}, {total('meeples_colour')} of {total('meeples')}",
        f"{sum(verdict.final_exact for verdict in scored)} of {len(scored)}",
        f"{total('final_sure')} of {len(verdicts)}",
        f"{total('final_sure_wrong')} finals, {total('sure_wrong')} tiles",
    )


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command; errors are reported like the program's others."""
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.rephotographed", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("labels", type=Path, nargs="+", metavar="LABEL")
    parser.add_argument("--photos", type=Path, required=True, help="folder that holds the labels' photos")
    parser.add_argument("--out", type=Path, required=True, help="folder for changed photos, labels and figures")
    parser.add_argument("--only", nargs="+", choices=CHANGES, default=CHANGES, help="changes to make")
    options = parser.parse_args(arguments)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        labels = list(take_again(options.labels, options.photos, options.out, options.only))
        show(evaluate_photos(labels, options.out, options.out).verdicts, options.only)
    except WondertallyError as error:
        parser.error(f"{error.code}: {error}")
    except OSError as error:
        parser.error(f"cannot_write: {error}")


if __name__ == "__main__":
    main()
