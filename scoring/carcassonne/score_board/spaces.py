"""The score board as a sheet: its 50 spaces, and the points that a piece on one of them may stand for.

The sheet of the first edition, measured on photos: a path of 4 rows that begins with the large space 0 in a corner,
runs along the border and returns inside; every fifth space is darker. Millimetres, x right, y down, with space 0 in the
lower right corner.
"""

from __future__ import annotations

from shapely import Polygon

from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import FeatureMap
from scoring.carcassonne.final.rulesets import TODAY, Ruleset
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.play.score_track import FIRST_PAIRS_POINTS, SECOND_WONDER_POINTS
from scoring.carcassonne.score_board.layout import ScoreLayout
from scoring.carcassonne.tiles.kinds import counts_surroundings
from scoring.player_colours import COLOURS as COLOURS

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

WALLS: tuple[Corners, ...] = (
    ((42, 38), (68, 36), (107, 37), (166, 36), (183, 32), (220, 32)),
    ((77, 75), (111, 73), (171, 72), (255, 67)),
    ((42, 38), (36, 58), (38, 85), (42, 115), (53, 132), (66, 122), (86, 125), (119, 118), (171, 116), (203, 118)),
)
"""Geometry of the print: the town wall that separates the rows."""
SPACES: tuple[Corners, ...] = (
    ((199, 128), (222, 124), (255, 124), (255, 179), (213, 179), (207, 164)),
    ((177, 125), (197, 126), (199, 135), (207, 160), (206, 172), (180, 174)),
    ((152, 125), (177, 125), (180, 174), (156, 174)),
    ((129, 125), (152, 125), (156, 174), (130, 172)),
    ((108, 132), (115, 126), (129, 125), (130, 172), (106, 171)),
    ((86, 130), (108, 132), (106, 171), (85, 172)),
    ((64, 132), (86, 130), (85, 172), (57, 172)),
    ((44, 135), (64, 132), (57, 172), (18, 170)),
    ((42, 126), (44, 135), (18, 170), (7, 162), (7, 138)),
    ((39, 106), (42, 126), (7, 138), (6, 113)),
    ((35, 86), (39, 106), (6, 113), (5, 86)),
    ((35, 64), (35, 86), (5, 86), (6, 64)),
    ((37, 46), (35, 64), (6, 64), (6, 41)),
    ((20, 7), (39, 38), (37, 46), (6, 41), (6, 15)),
    ((20, 7), (47, 5), (53, 38), (39, 38)),
    ((47, 5), (69, 5), (67, 35), (53, 38)),
    ((69, 5), (89, 5), (89, 35), (67, 35)),
    ((89, 5), (109, 5), (109, 35), (89, 35)),
    ((109, 5), (130, 5), (128, 35), (109, 35)),
    ((130, 5), (149, 4), (146, 35), (128, 35)),
    ((149, 4), (167, 4), (165, 32), (146, 35)),
    ((167, 4), (191, 5), (184, 32), (165, 32)),
    ((191, 5), (206, 5), (204, 31), (184, 32)),
    ((206, 5), (229, 6), (220, 28), (204, 31)),
    ((229, 6), (245, 6), (251, 20), (220, 28)),
    ((220, 28), (251, 20), (251, 48), (222, 40)),
    ((219, 41), (222, 40), (251, 48), (252, 59), (229, 62)),
    ((206, 41), (219, 41), (229, 62), (205, 66)),
    ((188, 41), (206, 41), (205, 66), (188, 68)),
    ((172, 41), (188, 41), (188, 68), (171, 69)),
    ((155, 42), (172, 41), (171, 69), (153, 72)),
    ((138, 45), (155, 42), (153, 72), (137, 72)),
    ((120, 46), (138, 45), (137, 72), (118, 72)),
    ((100, 46), (120, 46), (118, 72), (100, 72)),
    ((82, 45), (100, 46), (100, 72), (85, 72)),
    ((62, 51), (82, 45), (85, 72), (75, 71)),
    ((62, 51), (75, 71), (71, 76), (46, 67), (47, 59)),
    ((71, 76), (75, 84), (48, 94), (46, 67)),
    ((75, 84), (79, 86), (62, 111), (51, 105), (48, 94)),
    ((79, 86), (90, 85), (88, 108), (83, 118), (62, 111)),
    ((90, 85), (105, 83), (105, 115), (83, 118), (88, 108)),
    ((105, 83), (121, 81), (122, 112), (105, 115)),
    ((121, 81), (140, 81), (140, 111), (122, 112)),
    ((140, 81), (159, 81), (158, 110), (140, 111)),
    ((159, 81), (174, 80), (177, 111), (158, 110)),
    ((174, 80), (193, 80), (193, 111), (177, 111)),
    ((193, 80), (211, 80), (213, 108), (193, 111)),
    ((211, 80), (233, 81), (228, 98), (214, 109), (213, 108)),
    ((233, 81), (245, 82), (251, 92), (250, 103), (226, 110), (214, 109), (228, 98)),
    ((214, 109), (226, 110), (250, 103), (250, 124), (222, 124)),
)
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
