"""The input of the net of coats, and its output for tiles of our own photo, some of them covered."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from scoring.carcassonne.tiles.catalogue import list_layout_turns
from vision.arrays import Floats, Image
from vision.evaluation.labels import load_truth
from vision.photo.crops import CROP_PX, crop_squares
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import SURE_NATS
from vision.squares.classifier import compute_tile_logits, find_class_twins
from vision.squares.coat_classifier import (
    MIN_TWIN_PROBABILITY,
    CoatViews,
    build_coat_views,
    compute_coat_logits,
    find_likely_twins,
)
from vision.squares.square_reader import TILE_PX

EXAMPLES = Path(__file__).parents[3] / "datasets" / "examples"


class Seen:
    """The squares of the example photo that have a twin, by its label: crops, logits, twins and truth."""

    def __init__(self, reader: Reader) -> None:
        truth = load_truth(EXAMPLES / "table.json")
        self.classes = tuple(reader.classifier.metadata["classes"])
        self.twins = find_class_twins(self.classes)
        names = list_layout_turns(reader.square_reader.catalogue)
        coats = {
            names[number][0]: sign for row in self.twins.tolist() for number, sign in zip(row, (0, 1), strict=True)
        }
        coat_tiles = [
            (tile, tile.placement.tile) for tile in truth.tiles if tile.placement and tile.placement.tile in coats
        ]
        quads = np.array([tile.corners_px for tile, _ in coat_tiles])
        scale = TILE_PX / float(np.median([tile.size_px for tile, _ in coat_tiles]))
        image, scale = Photo.from_path(EXAMPLES / "table.jpg").halves.sized(scale)
        self.crops = crop_squares(image, quads * scale)
        self.logits = compute_tile_logits(reader.classifier, self.crops)[0]
        self.coats = np.array([coats[tile] for _, tile in coat_tiles])

    def views(self, crops: Image | None = None) -> CoatViews:
        return build_coat_views(self.crops if crops is None else crops, self.logits, self.twins, self.classes)


@pytest.fixture(scope="module")
def seen(reader: Reader) -> Seen:
    return Seen(reader)


def test_each_square_is_compared_with_copies_with_and_without_a_coat(seen: Seen) -> None:
    pairs, odds, share = find_likely_twins(seen.logits, seen.twins)
    views = seen.views()
    np.testing.assert_array_equal(views.squares, np.flatnonzero(share >= MIN_TWIN_PROBABILITY))
    np.testing.assert_array_equal(views.pairs, pairs[views.squares])
    tiles = [seen.classes[number].partition("@")[0] for number in seen.twins[pairs, 0].tolist()]
    for i, picture in zip(views.squares.tolist(), views.pictures, strict=True):
        others = [j for j in range(len(tiles)) if j != i and tiles[j] == tiles[i]]
        for channel, sign in ((3, 1), (6, -1)):
            there = max((sign * odds[j] for j in others), default=0.0) > SURE_NATS
            assert (picture[..., channel : channel + 3].max() > 0) == there
    assert (views.pictures[..., 3:6].max(axis=(1, 2, 3)) > 0).sum() > 8


def test_squares_and_copies_are_shown_in_the_same_orientation(seen: Seen) -> None:
    views = seen.views()
    alike = 0
    for i, picture in zip(views.squares.tolist(), views.pictures, strict=True):
        ways = [np.array_equal(np.rot90(seen.crops[i], turns), picture[..., :3]) for turns in range(4)]
        assert any(ways)
        copy_pictures = [picture[..., channel : channel + 3] for channel in (3, 6)]
        fits = [[correlation(picture[..., :3], np.rot90(copy, turns)) for turns in range(4)] for copy in copy_pictures]
        alike += sum(int(np.argmax(fit)) == 0 for fit, copy in zip(fits, copy_pictures, strict=True) if copy.max() > 0)
    copies = (views.pictures.reshape(len(views.pictures), -1, 3, 3).max(axis=(1, 3))[:, 1:] > 0).sum()
    assert alike > 0.9 * copies


def correlation(one: Image, other: Image) -> float:
    a, b = (cv2.resize(np.ascontiguousarray(p), (16, 16), interpolation=cv2.INTER_AREA).ravel() for p in (one, other))
    return float(np.corrcoef(a, b)[0, 1]) if a.std() and b.std() else 0.0


def test_without_possible_coats_the_net_is_not_run(reader: Reader, seen: Seen) -> None:
    other = np.full_like(seen.logits, -20.0)
    other[:, -1] = 0.0
    logits = compute_coat_logits(reader.coats, seen.crops, other, seen.twins, seen.classes)
    assert np.isnan(logits).all()
    assert seen.views().pictures.shape[1:] == (CROP_PX, CROP_PX, 9)
    assert len(build_coat_views(seen.crops, other, seen.twins, seen.classes).squares) == 0


def told_of(reader: Reader, seen: Seen, crops: Image) -> Floats:
    logits = compute_coat_logits(reader.coats, crops, seen.logits, seen.twins, seen.classes)
    return np.asarray(np.nanmax(logits, axis=1))


def test_the_net_of_coats_recognises_coats(reader: Reader, seen: Seen) -> None:
    logits = told_of(reader, seen, seen.crops)
    assert ((logits > 0) == seen.coats).mean() > 0.9


def test_covered_squares_are_classified_less_certainly(reader: Reader, seen: Seen) -> None:
    """Each square in its turn is covered as by pieces, its copies left as they are."""
    before, surer = told_of(reader, seen, seen.crops), 0
    for i in range(len(seen.crops)):
        covered = seen.crops.copy()
        for at in ((20, 20), (44, 20), (20, 44), (44, 44)):
            cv2.circle(covered[i], at, 16, (40, 30, 170), -1)
        surer += abs(told_of(reader, seen, covered)[i]) > abs(before[i])
    assert surer <= 0.15 * len(seen.crops)
