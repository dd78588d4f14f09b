"""Regions of a photo that may be one piece of cardboard: they stand out from the table by colour, or to the net.

No single segmentation works on every table, so several are tried, and the caller compares each region with its target.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Image
from vision.localise.detector import MIN_AREA_PROBABILITY, take_first_look
from vision.localise.outline_fit import EQUAL_SHARE
from vision.photo.pyramid import Halves
from vision.runtime.onnx import Net

LONGER_PX = 400
"""Longer side of the picture in which regions are segmented. A guess."""
LOOKS_PX = (256, 384, 512, 800)
"""Longer sides of the pictures in which the net searches for tiles. A guess."""
BORDER_SHARE = 0.02
"""Width of the picture's border that shows the table, as a share of the longer side. A guess."""
MIXTURE_ROUNDS = 4
"""Rounds in which the colours of the table and of the things on it are separated. Bounds time."""
COLOURS, PAIRED_COLOURS = (3, 5, 8), 5
"""Numbers of colours into which the picture is segmented; with the last one a region may have two of them. A guess."""
SMOOTH_PX = 1.0
"""Standard deviation of the smoothing before colours or edges are searched for. A guess."""
COLOUR_ROUNDS, COLOUR_STEP = 20, 1.0
"""Maximum rounds of the clustering of colours, and its tolerance. Bounds time."""
OPEN_PX, CLOSE_PX = 5, 9
"""Parts narrower than the first are cut off, and holes narrower than the second are closed. A guess."""
MIN_AREA_SHARE, MAX_AREA_SHARE = 0.01, 0.8
"""Minimum and maximum share of the picture that a region may fill. A guess."""
MAX_OF_MASK = 3
"""Maximum number of regions of one mask, the largest first. Bounds time."""
MAX_ALIKE_SHARE = 1 - EQUAL_SHARE
"""Intersection over union above which two regions are one."""


def list_regions(net: Net, photo: Halves) -> tuple[Image, float, list[Flags]]:
    """Return the segmented picture (h, w, 3), its scale, and its different regions (h, w).

    None of them reaches the picture's border; each is connected, its holes filled.
    """
    image, scale = photo.shrunk(LONGER_PX / max(photo.size))
    regions: list[Flags] = []
    areas = (cv2.resize(take_first_look(net, photo, longer).area, image.shape[1::-1]) for longer in LOOKS_PX)
    for mask in (*(np.asarray(area > MIN_AREA_PROBABILITY) for area in areas), *_list_colour_masks(image)):
        for region in _cut_regions(mask):
            if all((region & other).sum() <= MAX_ALIKE_SHARE * (region | other).sum() for other in regions):
                regions.append(region)
    return image, scale, regions


def part_again(image: Image, outer: Floats, inner: Floats) -> Flags:
    """Segment the squares by their colours against their surroundings (GrabCut).

    Nothing of them is beyond the `outer` (n, 4, 2) corners, and nothing else within the `inner` ones.
    """
    labels = np.full(image.shape[:2], cv2.GC_BGD, np.uint8)
    for quads, label in ((outer, cv2.GC_PR_FGD), (inner, cv2.GC_FGD)):
        for quad in quads:
            cv2.fillConvexPoly(labels, np.asarray(np.round(quad), np.int32), label)
    return _run_grab_cut(image, labels)


def _list_colour_masks(image: Image) -> Iterator[Flags]:
    """Yield the mask of colours other than at the picture's border, and masks of each of a few colours."""
    cv2.setRNGSeed(1)
    yield _part_from_border(image)
    lab = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2LAB), (0, 0), SMOOTH_PX)
    pixels = np.asarray(lab.reshape(-1, 3), np.float32)
    criteria = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, COLOUR_ROUNDS, COLOUR_STEP)
    for count in (count for count in COLOURS if count <= len(pixels)):
        labels = cv2.kmeans(pixels, count, np.empty(0), criteria, 1, cv2.KMEANS_PP_CENTERS)[1].reshape(image.shape[:2])
        masks = [np.asarray(labels == number, np.bool_) for number in range(count)]
        yield from masks
        if count == min(COLOURS):
            yield from (~mask for mask in masks)
        if count == PAIRED_COLOURS:
            yield from (first | second for first, second in combinations(masks, 2))


def _part_from_border(image: Image) -> Flags:
    """Segment the colours other than at the picture's border (GrabCut)."""
    border = max(3, round(BORDER_SHARE * max(image.shape)))
    labels = np.full(image.shape[:2], cv2.GC_BGD, np.uint8)
    labels[border:-border, border:-border] = cv2.GC_PR_FGD
    return _run_grab_cut(image, labels)


def _run_grab_cut(image: Image, labels: Image) -> Flags:
    table, rest = np.zeros((1, 65)), np.zeros((1, 65))
    try:
        cv2.grabCut(image, labels, (0, 0, 0, 0), table, rest, MIXTURE_ROUNDS, cv2.GC_INIT_WITH_MASK)
    except cv2.error:  # a picture of one colour
        return np.zeros(image.shape[:2], np.bool_)
    return np.asarray((labels == cv2.GC_FGD) | (labels == cv2.GC_PR_FGD))


def _cut_regions(mask: Flags) -> Iterator[Flags]:
    """Yield the regions of a mask, as it is and with its gaps closed."""
    ones = np.asarray(mask, np.uint8)
    height, width = ones.shape
    for whole in (ones, cv2.morphologyEx(ones, cv2.MORPH_CLOSE, _build_disc(CLOSE_PX))):
        opened = cv2.morphologyEx(whole, cv2.MORPH_OPEN, _build_disc(OPEN_PX))
        contours, _ = cv2.findContours(opened, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        for contour in sorted(contours, key=cv2.contourArea, reverse=True)[:MAX_OF_MASK]:
            at = contour[:, 0]
            if not MIN_AREA_SHARE <= cv2.contourArea(contour) / ones.size <= MAX_AREA_SHARE:
                continue
            if (at.min(axis=0) >= 2).all() and (at.max(axis=0) < (width - 3, height - 3)).all():
                filled = np.zeros_like(ones)
                cv2.fillPoly(filled, [contour], 1)
                yield np.asarray(filled > 0)


def _build_disc(size: int) -> Image:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)
