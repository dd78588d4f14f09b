"""Score boards: the areas of their spaces, and the points that a piece on a space may stand for.

Millimetres, x right, y down, from the board's first corner.

The sheet of the first edition has 50 spaces (`data/score_board.toml`), with space 0 in the lower right corner; every
fifth space is darker.
"""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from shapely import MultiPoint, Point, Polygon, box, get_parts, voronoi_polygons

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import FeatureMap
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.play.score_track import FIRST_PAIRS_POINTS, SECOND_WONDER_POINTS
from scoring.carcassonne.tiles.kinds import counts_surroundings

Place = tuple[float, float]

REACH_STEPS = 1.25
"""Reach of a space from its centre, in median distances between consecutive spaces. A guess."""


@dataclass(frozen=True, slots=True, eq=False)
class ScoreLayout:
    """Size of the board (width and height), `areas` of its spaces, starting with 0, and points per `lap`."""

    size: tuple[float, float]
    areas: tuple[Polygon, ...]
    lap: int

    def middle(self, space: int) -> Place:
        """Return a point well inside a space."""
        point = self.areas[space].representative_point()
        return float(point.x), float(point.y)

    def spaces_near(self, place: Place, reach: float = 0.0) -> tuple[int, ...]:
        """Return the spaces no farther than `reach` from a place on the board, the nearest first."""
        away = [(area.distance(Point(place)), space) for space, area in enumerate(self.areas)]
        return tuple(space for distance, space in sorted(away) if distance <= reach)

    def holds(self, place: Place, beyond: float = 0.0) -> bool:
        """Return whether a place is on the board, or no farther than `beyond` outside it."""
        width, height = self.size
        return -beyond <= place[0] <= width + beyond and -beyond <= place[1] <= height + beyond


def build_score_layout(size: tuple[float, float], middles: Sequence[Place], lap: int) -> ScoreLayout:
    """Return a layout from the centres of the spaces alone: each space is the area nearest to its own centre.

    `middles` are at least 2 different places on the board.
    """
    away = np.linalg.norm(np.diff(np.array(middles), axis=0), axis=1)
    board, reach = box(0, 0, *size), REACH_STEPS * float(np.median(away))
    cells = get_parts(voronoi_polygons(MultiPoint(middles), extend_to=board)).tolist()
    nearest_cells = [next(cell for cell in cells if cell.covers(Point(middle))) for middle in middles]
    clipped = [
        cell.intersection(board).intersection(Point(middle).buffer(reach))
        for cell, middle in zip(nearest_cells, middles, strict=True)
    ]
    return ScoreLayout(size, tuple(clipped), lap)


WIDTH_MM, HEIGHT_MM = 256, 180
"""Geometry of the print: size of the sheet."""
TILE_MM = 45.0
"""Geometry of the print: side of a tile."""
LAP_SPACES = 50
"""Number of spaces: a player who passes the last one begins again at 0."""
MAX_LAPS = 3
"""Maximum number of completed laps considered. A guess."""
MONASTERY_POINTS = 9
"""By the rules: points of a monastery or a garden with all 8 squares around it."""
Corners = tuple[tuple[int, int], ...]

_PRINT = tomllib.loads(files("scoring.carcassonne").joinpath("data", "score_board.toml").read_text(encoding="utf-8"))
WALLS: tuple[Corners, ...] = tuple(tuple((x, y) for x, y in wall) for wall in _PRINT["walls"])
"""Geometry of the print: the town wall that separates the rows."""
SPACES: tuple[Corners, ...] = tuple(tuple((x, y) for x, y in corners) for corners in _PRINT["spaces"])
"""Geometry of the print: corners of each space."""
FIRST_EDITION = ScoreLayout((WIDTH_MM, HEIGHT_MM), tuple(map(Polygon, SPACES)), LAP_SPACES)


def is_dark_space(space: int) -> bool:
    """Return whether a space is one of the darker ones, which help players count."""
    return space % 5 == 0


def compute_max_track_points(board: Board, features: FeatureMap, rules: Ruleset = TODAY) -> int | None:
    """Return an upper bound of any player's points before the final scoring; None if it is unknown.

    It is the sum of all complete features, as if one player had scored them all. A monastery or a garden counts 9,
    complete or not, because an abbot may have been taken back from it. Unknown tiles and wonders may have scored any
    number of points.
    """
    if board.wonders or None in board.tiles.values():
        return None
    closed = (f for f in features if f.complete and f.kind in ("road", "city"))
    cloisters = [f for f in features if counts_surroundings(f.kind)]
    gardens = [square for square, placement in board.known if placement.layout.garden is not None]
    return sum(compute_feature_worth(feature, rules)[0] for feature in closed) + MONASTERY_POINTS * (
        len(cloisters) + len(gardens)
    )


def compute_min_track_points(features: FeatureMap, player: str) -> int:
    """Return the minimum points a player needed for the wonders with their marker: 10 for the first, 50 for a second.

    The Wonders of Humanity, "3. Scoring a feature and getting a wonder tile" and "Receive the second wonder tile". The
    pairs may have stood beyond 10 by then, but no board shows the order in which players took wonders.
    """
    owned = sum(feature.owner == player for feature in features)
    return (0, FIRST_PAIRS_POINTS, SECOND_WONDER_POINTS)[min(owned, 2)]


def list_possible_points(
    space: int, lying: bool, least: int, most: int | None, lap: int = LAP_SPACES, token_points: int = 0
) -> tuple[int, ...]:
    """Return the points that a piece on a space may stand for, from `least` to `most`, most likely first.

    `lap` is the number of points per lap. A piece lies down after its first lap, but not all players follow this, and a
    token of 50 or 100 points does not show on the board. `token_points` are those of the player's tokens if they are
    visible: they give the number of laps, to which a lying piece may add one.
    """
    laps = sorted(range(MAX_LAPS + 1), key=lambda gone: (gone != lying, gone))
    points = (
        [space + lap * gone for gone in laps]
        if not token_points
        else [space + token_points, space + token_points + lap][: 1 + lying]
    )
    return tuple(number for number in points if least <= number <= (number if most is None else most))
