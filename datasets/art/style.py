"""Painting styles of tile sets: colours, line work, and how often each kind of detail appears."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

Colour = tuple[int, int, int]
"""Red, green, blue, 0 to 255."""

WallStyle = Literal["battlements", "rampart", "palisade"]
Blazon = Literal["quartered", "pale", "bend", "plain"]


@dataclass(frozen=True)
class Style:
    """One painting style; lengths are fractions of a tile's side, strengths range from 0 to 1.

    `snow` is the coverage of everything exposed: drifts in the fields, roofs, walls, roads.
    """

    name: str
    grass: Colour
    grass_light: Colour
    road: Colour
    road_border: Colour
    city_ground: Colour
    wall: Colour
    house: Colour
    roofs: tuple[Colour, ...]
    tower_roof: Colour
    church: Colour
    church_roof: Colour
    foliage: tuple[Colour, ...]
    shield: tuple[Colour, Colour]
    ink: Colour = (40, 30, 25)
    outline: float = 0.5
    texture: float = 0.5
    crowding: float = 0.6
    road_width: float = 0.075
    wall_style: WallStyle = "battlements"
    wall_height: float = 0.075
    roofed_towers: float = 0.4
    villages: float = 0.7
    gardens: float = 0.0
    animals: float = 0.4
    water: Colour = (112, 178, 222)
    blazon: Blazon = "quartered"
    shield_size: float = 0.066
    snow: float = 0.0


MEADOW = Style(
    name="meadow",
    grass=(122, 170, 44),
    grass_light=(152, 194, 62),
    road=(242, 236, 222),
    road_border=(88, 92, 40),
    city_ground=(214, 164, 92),
    wall=(226, 200, 142),
    house=(236, 220, 186),
    roofs=((214, 78, 42), (224, 104, 52), (196, 62, 46)),
    tower_roof=(204, 66, 44),
    church=(222, 186, 126),
    church_roof=(222, 92, 48),
    foliage=((84, 128, 40), (104, 146, 50)),
    shield=((38, 92, 186), (244, 246, 248)),
    outline=0.55,
    texture=0.55,
    crowding=0.35,
    roofed_towers=0.35,
    villages=0.6,
)

TERRA = Style(
    name="terra",
    grass=(96, 142, 42),
    grass_light=(134, 172, 58),
    road=(248, 244, 232),
    road_border=(70, 74, 40),
    city_ground=(158, 106, 64),
    wall=(216, 198, 158),
    house=(232, 214, 178),
    roofs=((206, 84, 40), (188, 62, 34), (220, 112, 56), (122, 92, 78)),
    tower_roof=(58, 88, 164),
    church=(232, 214, 182),
    church_roof=(186, 60, 40),
    foliage=((58, 96, 34), (76, 114, 40), (96, 128, 46)),
    shield=((70, 96, 176), (240, 240, 244)),
    outline=0.5,
    texture=0.8,
    crowding=1.0,
    roofed_towers=0.75,
    villages=1.0,
    gardens=0.25,
    animals=0.5,
    water=(96, 150, 200),
)

INK = Style(
    name="ink",
    grass=(166, 206, 98),
    grass_light=(176, 212, 108),
    road=(250, 238, 200),
    road_border=(52, 46, 40),
    city_ground=(236, 196, 132),
    wall=(196, 190, 184),
    house=(252, 246, 230),
    roofs=((230, 92, 72), (242, 148, 70), (90, 130, 180), (166, 110, 80)),
    tower_roof=(96, 128, 196),
    church=(250, 240, 214),
    church_roof=(150, 92, 160),
    foliage=((96, 160, 72), (70, 140, 84)),
    shield=((206, 52, 56), (252, 226, 120)),
    ink=(30, 24, 30),
    outline=1.0,
    texture=0.12,
    crowding=0.5,
    road_width=0.085,
    wall_style="rampart",
    roofed_towers=0.6,
    villages=0.8,
    gardens=0.15,
    animals=0.8,
    water=(130, 190, 236),
)

SNOW = Style(
    name="snow",
    grass=(226, 234, 240),
    grass_light=(246, 248, 250),
    road=(122, 114, 108),
    road_border=(184, 200, 214),
    city_ground=(202, 158, 104),
    wall=(158, 106, 74),
    house=(176, 128, 88),
    roofs=((238, 242, 246), (226, 232, 240), (186, 84, 60), (214, 220, 230)),
    tower_roof=(230, 236, 244),
    church=(206, 178, 150),
    church_roof=(206, 66, 52),
    foliage=((70, 104, 88), (96, 128, 112)),
    shield=((56, 92, 170), (238, 240, 244)),
    outline=0.5,
    texture=0.6,
    crowding=0.5,
    roofed_towers=0.3,
    villages=0.75,
    animals=0.2,
    water=(126, 176, 206),
)

AUTUMN = Style(
    name="autumn",
    grass=(158, 148, 70),
    grass_light=(182, 168, 92),
    road=(250, 244, 232),
    road_border=(96, 82, 46),
    city_ground=(186, 104, 62),
    wall=(226, 206, 176),
    house=(238, 222, 198),
    roofs=((122, 58, 46), (146, 72, 50), (92, 52, 50)),
    tower_roof=(84, 60, 76),
    church=(232, 218, 190),
    church_roof=(110, 52, 44),
    foliage=((192, 112, 40), (150, 74, 34), (206, 148, 52)),
    shield=((44, 74, 128), (240, 238, 230)),
    ink=(48, 34, 28),
    outline=0.7,
    texture=0.65,
    crowding=0.5,
    road_width=0.08,
    wall_style="rampart",
    wall_height=0.07,
    roofed_towers=0.6,
    villages=0.6,
    gardens=0.2,
    animals=0.3,
    water=(92, 134, 160),
)

WINTER = Style(
    name="winter",
    grass=(216, 228, 242),
    grass_light=(248, 250, 252),
    road=(140, 128, 116),
    road_border=(200, 206, 214),
    city_ground=(190, 152, 108),
    wall=(150, 118, 92),
    house=(158, 122, 92),
    roofs=((172, 74, 54), (150, 62, 48), (128, 84, 64)),
    tower_roof=(170, 70, 52),
    church=(178, 142, 112),
    church_roof=(196, 62, 46),
    foliage=((86, 116, 96), (106, 130, 108), (122, 110, 96)),
    shield=((40, 72, 140), (240, 242, 246)),
    ink=(58, 46, 40),
    outline=0.3,
    texture=0.35,
    crowding=0.65,
    road_width=0.07,
    wall_style="rampart",
    wall_height=0.075,
    roofed_towers=0.5,
    villages=0.7,
    animals=0.1,
    water=(128, 180, 214),
    snow=0.7,
)

STYLES: dict[str, Style] = {style.name: style for style in (MEADOW, TERRA, INK, SNOW, AUTUMN, WINTER)}


def sample_style(rng: np.random.Generator) -> Style:
    """Sample a random style, repeatedly until road, city, wall and field are clearly distinguishable."""
    while not is_legible(style := _draw(rng)):
        pass
    return style


def is_legible(style: Style) -> bool:
    """Return whether the kinds of segments are distinguishable by their colours alone."""
    grass, light, road, ground, wall = (
        to_lab(colour) for colour in (style.grass, style.grass_light, style.road, style.city_ground, style.wall)
    )
    apart = [(road, grass, 38), (road, light, 32), (ground, grass, 40), (ground, light, 34), (wall, ground, 14)]
    apart += [
        (wall, light, 28),
        (to_lab(style.roofs[0]), ground, 22),
        (to_lab(style.church), to_lab(style.church_roof), 35),
    ]
    return all(float(np.linalg.norm(one - other)) > least for one, other, least in apart)


def to_lab(colour: Colour) -> NDArray[np.float32]:
    """Return the colour in CIE L*a*b*, where distance approximates perceived difference."""
    pixel = np.array([[colour]], np.float32) / 255
    return np.asarray(cv2.cvtColor(pixel, cv2.COLOR_RGB2LAB)[0, 0], np.float32)


def _shield(rng: np.random.Generator) -> tuple[Colour, Colour]:
    """Sample a shield's colours: sometimes blue and white as on printed tiles, more often others, as in fan-made
    art."""
    if rng.random() < 0.35:
        return sample_colour(rng, (195, 245), (0.45, 0.9), (0.4, 0.85)), sample_colour(
            rng, (0, 360), (0.0, 0.06), (0.9, 1.0)
        )
    return sample_colour(rng, (0, 360), (0.5, 0.9), (0.35, 0.8)), sample_colour(rng, (0, 360), (0.0, 0.6), (0.85, 1.0))


def _draw(rng: np.random.Generator) -> Style:
    winter = rng.random() < 0.12
    grass = (
        sample_colour(rng, (60, 250), (0.02, 0.15), (0.8, 0.95))
        if winter
        else sample_colour(rng, (62, 140), (0.3, 0.8), (0.35, 0.8))
    )
    dark_road = winter or rng.random() < 0.12
    road = sample_colour(rng, (15, 60), (0.0, 0.25), (0.3, 0.5) if dark_road else (0.82, 1.0))
    roofs = tuple(sample_colour(rng, (0, 32), (0.5, 0.85), (0.5, 0.95)) for _ in range(rng.integers(1, 4)))
    if rng.random() < 0.4:
        roofs += (sample_colour(rng, (190, 240), (0.1, 0.5), (0.35, 0.65)),)
    if winter:
        roofs = (sample_colour(rng, (200, 230), (0.0, 0.08), (0.85, 1.0)), *roofs)
    walls: tuple[WallStyle, ...] = ("battlements", "battlements", "rampart", "palisade")
    # A separate stream keeps the other samples of a seed independent of these.
    later = np.random.default_rng(grass)
    blazons: tuple[Blazon, ...] = ("quartered", "quartered", "pale", "bend", "plain")
    return Style(
        name="random",
        grass=grass,
        grass_light=_lighter(grass, rng.uniform(0.05, 0.25)),
        road=road,
        road_border=_lighter(grass, -rng.uniform(0.25, 0.6)),
        city_ground=sample_colour(rng, (16, 44), (0.3, 0.65), (0.5, 0.92)),
        wall=sample_colour(rng, (18, 48), (0.05, 0.45), (0.5, 0.95)),
        house=sample_colour(rng, (20, 50), (0.05, 0.35), (0.7, 1.0)),
        roofs=roofs,
        tower_roof=sample_colour(rng, (190, 250), (0.3, 0.75), (0.4, 0.8)) if rng.random() < 0.5 else roofs[-1],
        church=sample_colour(rng, (18, 48), (0.08, 0.45), (0.65, 0.98)),
        church_roof=sample_colour(rng, (0, 28), (0.5, 0.85), (0.5, 0.9)),
        foliage=tuple(sample_colour(rng, (70, 150), (0.3, 0.75), (0.22, 0.55)) for _ in range(2)),
        shield=_shield(rng),
        ink=_lighter((60, 46, 38), rng.uniform(-0.6, 0.2)),
        outline=rng.uniform(0.15, 1.0),
        texture=rng.uniform(0.1, 1.0),
        crowding=rng.uniform(0.2, 1.0),
        road_width=rng.uniform(0.055, 0.1),
        wall_style=walls[rng.integers(len(walls))],
        wall_height=rng.uniform(0.05, 0.095),
        roofed_towers=rng.uniform(0.0, 1.0),
        villages=rng.uniform(0.2, 1.0),
        gardens=rng.choice([0.0, 0.3]),
        animals=rng.uniform(0.0, 0.8),
        water=sample_colour(later, (188, 232), (0.15, 0.75), (0.6, 0.95)),
        blazon=blazons[later.integers(len(blazons))],
        shield_size=later.uniform(0.055, 0.085),
    )


def sample_colour(
    rng: np.random.Generator, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]
) -> Colour:
    """Sample a colour between two hues (degrees), saturations and values (0 to 1)."""
    pixel = np.array([[[rng.uniform(*hue), rng.uniform(*saturation), rng.uniform(*value)]]], np.float32)
    red, green, blue = (int(255 * channel) for channel in cv2.cvtColor(pixel, cv2.COLOR_HSV2RGB)[0, 0])
    return red, green, blue


def _lighter(colour: Colour, share: float) -> Colour:
    """Move the colour towards white, or towards black if the share is negative."""
    towards = 255 if share > 0 else 0
    red, green, blue = (int(channel + (towards - channel) * abs(share)) for channel in colour)
    return red, green, blue
