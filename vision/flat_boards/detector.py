"""Detection of an enrolled board in a photo: features, a robust homography, and refinement on the rectified view.

The homography is estimated by MAGSAC (Barath et al. 2019, OpenCV's implementation), which weights residuals instead of
counting inliers within a threshold. It is then verified on the picture itself: after rectification, enough of the
board's parts must resemble the enrolled picture.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import cv2
import numpy as np

from vision.arrays import Flags, Floats, Image
from vision.errors import ReadingError
from vision.flat_boards.board import (
    BoardLie,
    EnrolledBoard,
    compute_photo_scale,
    normalise_homography,
    project_points,
    rectify_board,
)
from vision.flat_boards.features import (
    PHOTO_FEATURES,
    Features,
    Look,
    Viewing,
    extract_features,
    extract_photo_features,
    extract_tilted_features,
    match_features,
    match_nearby_features,
)
from vision.flat_boards.similarity import compute_drawing_likeness, match_drawn_blocks
from vision.photo.pyramid import Halves

LOOKS = (Viewing(1500), Viewing(1500, spread=True), Viewing(2800))
"""Ways of searching the photo, tried in order until something is found: surroundings may have stronger features than a
board, and the board may be small. A guess."""
TILTS = ((1.6, 4), (2.4, 6))
"""Foreshortening factors of the board's picture for views from the side, each with its number of directions: camera
elevations of 39 and 25 degrees. A guess."""
CLOSE_PX = 1000
"""Longer side of the board in the refinement on the rectified view. A guess."""
BOARD_FEATURES = 4000
"""Maximum number of features of a board's picture. Bounds time."""
MAX_MATCH_RATIO = 0.85
"""Maximum ratio of the distances of the best and the second match of a feature. A guess."""
MAX_MISFIT_PX = 4.0
"""Residual at which MAGSAC ignores a pair. A guess."""
MAX_NEARBY_PX = 25.0
"""Maximum distance of a feature, in the refinement, from the position predicted by the first estimate. A guess."""
GOOD_FIT_PX = 0.5
"""Median residual in the refinement below which the pose is accepted. A guess."""
SETTLED_SHARE, MAX_CLOSER_LOOKS = 0.002, 10
"""Movement relative to the board's length below which a pose is stable, and the maximum number of refinements. Bounds
time."""
MIN_LIKENESS = 0.75
"""Minimum likeness of features that match in the refinement. A guess."""
MAX_ITERATIONS = 20_000
"""Maximum number of MAGSAC's iterations. Bounds time."""
MIN_INLIERS = 10
"""Minimum number of pairs that agree with a homography. A guess."""
MANY_INLIERS = 60
"""Number of agreeing pairs from which the refinement skips features and uses blocks at once. A guess."""
MIN_BLOCKS = 20
"""Minimum number of matching blocks; with fewer, the pose is that of the features. A guess."""
MIN_CAMERA_HEIGHT_SHARE = 0.15
"""Minimum height of the camera above the board, relative to its distance; lower ones are implausible. A guess."""
ALIKE_PX = 320
"""Longer side of a board at which its print can be recognised, and its likeness is measured. A guess."""


@dataclass(frozen=True, slots=True)
class Demands:
    """Requirements for a print to be detected with certainty, and the extent of the search.

    `inliers` is the minimum number of consistent features, `alike` the minimum share of its visible parts that look as
    enrolled, and `size` the minimum share of the photo that it fills. `features` is the number of the photo's strongest
    features that are used.
    """

    inliers: int = 25
    alike: float = 0.2
    size: float = 0.002
    features: int = PHOTO_FEATURES


BOARD_DEMANDS = Demands()
"""Requirements for a board, most of which may be covered by pieces."""


class BoardFinder:
    """A detector of one enrolled board in photos, or of another print with its own `demands`.

    The print's own features are extracted once.
    """

    def __init__(self, board: EnrolledBoard, demands: Demands = BOARD_DEMANDS) -> None:
        self.board = board
        self._demands = demands
        self._scale = CLOSE_PX / max(board.size_mm)
        self._picture = board.at(self._scale)
        size = np.array(board.size_mm)
        self._px_to_mm = size / np.array(self._picture.shape[1::-1])
        self._features = extract_features(self._picture, BOARD_FEATURES)
        self._tilted: list[Features] = []

    def find(self, photo: Halves) -> BoardLie:
        """Find the board's pose in a photo; raises ReadingError `board_not_found`."""
        glance = Viewing(700)  # quick, and enough for a board that fills most of the photo; a guess
        lies = self.find_all(photo, most=1, looks=(glance, *LOOKS))
        if not lies:
            raise ReadingError("board_not_found", "No board that was enrolled was found in the photo.")
        return lies[0]

    def find_all(
        self,
        photo: Halves,
        most: int,
        taken_corners: Sequence[Floats] = (),
        looks: Sequence[Viewing] = LOOKS,
        window_px: float | None = None,
        is_tilted: bool = True,
    ) -> tuple[BoardLie, ...]:
        """Find the poses of up to `most` boards with this print in a photo, the most certain first.

        Other boards, whose (4, 2) corners in the photo are `taken_corners`, are skipped; the photo is then searched
        only once. `looks` are the ways of searching, tried in order until a board is found. Small prints are searched
        for in windows of the photo `window_px` wide, so that only nearby features are compared; they must be no larger
        than half a window. If no look finds any, boards that are `is_tilted` are searched for (`find_tilted`).
        """
        if not self._features.is_matchable:
            return ()
        lies: list[BoardLie] = []
        for look in looks:
            lies = self._search_look(photo, look, most, taken_corners, window_px, self._features)
            if lies or taken_corners or max(photo.size) <= look.longer_px / 2:
                break
        if not lies and is_tilted:
            return self.find_tilted(photo, most, taken_corners)
        return _rank_lies(lies)

    def find_tilted(self, photo: Halves, most: int, taken_corners: Sequence[Floats] = ()) -> tuple[BoardLie, ...]:
        """Find boards that the photo shows from the side, as `find_all` does, by foreshortened features."""
        for features in self._tilted_features:
            if not features.is_matchable:
                continue
            if lies := self._search_look(photo, LOOKS[0], most, taken_corners, None, features):
                return _rank_lies(lies)
        return ()

    @property
    def _tilted_features(self) -> Iterator[Features]:
        """Yield the features of the board as seen from the sides, cached once computed."""
        sides = [(tilt, np.pi * i / count) for tilt, count in TILTS for i in range(count)]
        for number, (tilt, direction) in enumerate(sides):
            if number == len(self._tilted):
                self._tilted.append(extract_tilted_features(self._picture, BOARD_FEATURES, tilt, direction))
            yield self._tilted[number]

    def _search_look(
        self,
        photo: Halves,
        viewing: Viewing,
        most: int,
        taken_corners: Sequence[Floats],
        window_px: float | None,
        board_features: Features,
    ) -> list[BoardLie]:
        """Return the boards found in one look at the photo."""
        look = extract_photo_features(photo, viewing, self._demands.features)
        unused = np.ones(len(look.features.at), bool)
        for corners in taken_corners:
            unused &= ~_mask_features(_fill_polygon(corners * look.scale, look.shape), look.features)
        lies: list[BoardLie] = []
        for window in _list_windows(look, window_px):
            lies += self._search_window(photo, look, unused, window, most - len(lies), board_features)
        return lies

    def _search_window(
        self, photo: Halves, look: Look, unused: Flags, window: _Window, most: int, board_features: Features
    ) -> list[BoardLie]:
        """Return the boards entirely within a window, and remove their features from `unused`."""
        photo_features, scale = look.features, look.scale
        lies: list[BoardLie] = []
        while len(lies) < most:
            candidates = np.flatnonzero(unused & window.features)
            photo_numbers, board_numbers = match_features(
                photo_features.select(candidates), board_features, MAX_MATCH_RATIO
            )
            rough = _fit_homography(
                board_features.at[board_numbers] * self._px_to_mm,
                photo_features.at[candidates[photo_numbers]],
                MAX_MISFIT_PX,
            )
            if rough is None or not self._is_lie(rough[0], (look.shape[1], look.shape[0])):
                break
            whole = np.diag([1 / scale, 1 / scale, 1.0]) @ rough[0]
            lie = self._look_closer(photo, whole, int(rough[1].sum()))
            if lie is None or not self._is_sure(lie) or not window.holds(lie.to_photo(self.board.corners)):
                break
            lies.append(lie)
            unused &= ~self._covers(lie, photo_features.at / scale)
            unused[candidates[photo_numbers[rough[1]]]] = False
        return lies

    def closer(self, photo: Halves, rough: Floats) -> BoardLie | None:
        """Return the refined pose of a (3, 3) homography that is off by a few millimetres; None if the board is
        uncertain there."""
        if not self._is_lie(rough, photo.size):
            return None
        lie = self._look_closer(photo, rough, 0)
        return lie if lie is not None and self._is_sure(lie) else None

    def _is_lie(self, homography: Floats, size: tuple[int, int]) -> bool:
        """Return whether a homography is a plausible pose of the board.

        A plausible pose shows the printed side, all of it in front of the camera, and not from the edge. `size` are the
        picture's columns and rows.
        """
        middle = np.array(self.board.size_mm) / 2
        if not np.isfinite(homography).all() or abs(homography[2] @ (*middle, 1.0)) < 1e-12:
            return False
        lie = BoardLie(normalise_homography(homography, middle), 0, 0.0, 0.0, 0.0)
        corners = lie.to_photo(self.board.corners)
        if not np.isfinite(corners).all() or not cv2.isContourConvex(corners.astype(np.float32)):
            return False
        if cv2.contourArea(corners.astype(np.float32), oriented=True) < self._demands.size * size[0] * size[1]:
            return False
        camera = lie.camera(size)
        away = np.linalg.norm(camera - (*middle, 0.0))
        return bool(camera[2] > MIN_CAMERA_HEIGHT_SHARE * away)

    def _look_closer(self, photo: Halves, rough: Floats, inliers: int) -> BoardLie | None:
        """Refine the pose on the view rectified by a rough homography; None if the board's parts are inconsistent.

        A pose that does not fit well is refined repeatedly until it is stable, or does not show the board at all.
        """
        lie = self._look_once(photo, normalise_homography(rough, np.array(self.board.size_mm) / 2), inliers)
        for _ in range(MAX_CLOSER_LOOKS):
            if lie is None or lie.error_px <= GOOD_FIT_PX:
                break
            if self._compute_likeness(photo, lie) < self._demands.alike:
                break
            again = self._look_once(photo, lie.homography, lie.inliers)
            if again is None:
                break
            here, there = (each.to_photo(self.board.corners) for each in (lie, again))
            moved = np.linalg.norm(here - there, axis=1).max() / np.ptp(there, axis=0).max()
            lie = again
            if moved < SETTLED_SHARE:
                break
        if lie is None:
            return None
        return replace(lie, alike=self._compute_likeness(photo, lie), shown=self._compute_visible_share(photo, lie))

    def _look_once(self, photo: Halves, homography: Floats, inliers: int) -> BoardLie | None:
        """Refine the pose once on the rectified view.

        Features are matched again if few agreed (`inliers`), or if the board's blocks find no match.
        """
        lie = self._fit_lie(photo, homography, 0.0, inliers) if inliers >= MANY_INLIERS else None
        if lie is not None:
            return lie
        closer = self._fit_lie(photo, homography, MAX_NEARBY_PX, inliers)
        return closer and (self._fit_lie(photo, closer.homography, 0.0, closer.inliers) or closer)

    def _fit_lie(self, photo: Halves, homography: Floats, within: float, inliers: int) -> BoardLie | None:
        """Fit the pose by features up to `within` pixels away, or by blocks if that is 0; None if too few agree."""
        at, there = self._pair_points(photo, homography, within)
        fit = _fit_homography(at, there, MAX_MISFIT_PX * float(self._px_to_mm.max()))
        if fit is None or (not within and fit[1].sum() < MIN_BLOCKS):
            return None
        move, agree = fit
        off = project_points(homography, project_points(move, at[agree])) - project_points(homography, there[agree])
        better = normalise_homography(homography @ move, np.array(self.board.size_mm) / 2)
        if not self._is_lie(better, photo.size):
            return None
        error = float(np.median(np.linalg.norm(off, axis=1)))
        return BoardLie(better, int(agree.sum()) if within else inliers, error, 0.0, 0.0)

    def _pair_points(self, photo: Halves, homography: Floats, within: float) -> tuple[Floats, Floats]:
        """Return (n, 2) millimetres of the board, and those at which the homography shows the same content.

        They are matched by features up to `within` pixels away, or by blocks if that is 0.
        """
        view, visible = rectify_enrolled_board(photo, homography, self.board, self._scale)
        if not within:
            at, there = match_drawn_blocks(view, self._picture, visible)
            return at * self._px_to_mm, there * self._px_to_mm
        inside = cv2.erode(visible, np.ones((9, 9), np.uint8), borderType=cv2.BORDER_REPLICATE) > 0
        view_features = extract_features(view, BOARD_FEATURES)
        view_features = view_features.select(_mask_features(inside, view_features))
        view_numbers, board_numbers = match_nearby_features(view_features, self._features, within, MIN_LIKENESS)
        return self._features.at[board_numbers] * self._px_to_mm, view_features.at[view_numbers] * self._px_to_mm

    def _is_sure(self, lie: BoardLie) -> bool:
        """Return whether the board is detected with certainty."""
        return lie.inliers >= self._demands.inliers and lie.alike >= self._demands.alike

    def _covers(self, lie: BoardLie, pixels: Floats) -> Flags:
        mm = lie.to_mm(pixels)
        return np.asarray(np.all((mm >= 0) & (mm <= self.board.size_mm), axis=1))

    def _compute_visible_share(self, photo: Halves, lie: BoardLie) -> float:
        visible = rectify_board(photo.whole, lie.homography, self.board.size_mm, 100 / max(self.board.size_mm))[1]
        return float((visible > 0).mean())

    def _compute_likeness(self, photo: Halves, lie: BoardLie) -> float:
        px_mm = ALIKE_PX / max(self.board.size_mm)
        view, visible = rectify_enrolled_board(photo, lie.homography, self.board, px_mm)
        return compute_drawing_likeness(view, self.board.at(px_mm), visible)


def _rank_lies(lies: Sequence[BoardLie]) -> tuple[BoardLie, ...]:
    """Return the poses, the most certain first."""
    return tuple(sorted(lies, key=lambda lie: -lie.alike * lie.shown))


def is_findable_board(board: EnrolledBoard) -> bool:
    """Return whether enough is printed on a board for it to be found in its own picture with a margin around it."""
    around = max(board.picture.shape[:2]) // 8
    framed = cv2.copyMakeBorder(board.picture, around, around, around, around, cv2.BORDER_REPLICATE)
    return bool(BoardFinder(board).find_all(Halves(np.asarray(framed, np.uint8)), most=1, is_tilted=False))


def rectify_enrolled_board(
    photo: Halves, homography: Floats, board: EnrolledBoard, px_mm: float
) -> tuple[Image, Image]:
    """Return the rectified board at `px_mm` pixels per millimetre, and its visibility.

    The source is the smallest sufficient picture of the photo. `homography` maps millimetres to pixels of the whole
    photo; see `rectify_board`.
    """
    near, scale = photo.at_least(compute_photo_scale(board, homography, px_mm))
    return rectify_board(near, np.diag([scale, scale, 1.0]) @ homography, board.size_mm, px_mm)


@dataclass(frozen=True, slots=True, eq=False)
class _Window:
    """A part of a photo: the mask (n,) of a look's features in it, and its extent."""

    features: Flags
    low: Floats
    high: Floats

    def holds(self, corners: Floats) -> bool:
        """Return whether a board with such (n, 2) corners is entirely in the window."""
        return bool(((corners >= self.low) & (corners <= self.high)).all())


def _list_windows(look: Look, window_px: float | None) -> Iterator[_Window]:
    """Yield windows that overlap by half, wherever there are features; for None, one unbounded window."""
    at = look.features.at / look.scale
    if window_px is None:
        yield _Window(np.ones(len(at), bool), np.full(2, -np.inf), np.full(2, np.inf))
        return
    step = window_px / 2
    cells = np.floor(at / step)
    for first in np.unique(np.concatenate([cells, cells - 1]), axis=0):
        inside = ((cells >= first) & (cells <= first + 1)).all(axis=1)
        yield _Window(np.asarray(inside), first * step, (first + 2) * step)


def _fill_polygon(corners: Floats, shape: tuple[int, int]) -> Flags:
    mask = np.zeros(shape, np.uint8)
    cv2.fillConvexPoly(mask, np.rint(corners).astype(np.int32), 1)
    return mask > 0


def _mask_features(mask: Flags, features: Features) -> Flags:
    at = np.floor(features.at).astype(int)
    h, w = mask.shape
    return np.asarray(mask[np.clip(at[:, 1], 0, h - 1), np.clip(at[:, 0], 0, w - 1)])


def _fit_homography(source: Floats, target: Floats, off: float) -> tuple[Floats, Flags] | None:
    """Return the (3, 3) homography from (n, 2) points to (n, 2) others, and its inliers (n,); None if there are too
    few."""
    if len(source) < MIN_INLIERS:
        return None
    homography, mask = cv2.findHomography(
        source, target, cv2.USAC_MAGSAC, off, maxIters=MAX_ITERATIONS, confidence=0.9999
    )
    if homography is None or mask is None or int(mask.sum()) < MIN_INLIERS:
        return None
    return np.asarray(homography, np.float64), np.asarray(mask[:, 0] > 0)
