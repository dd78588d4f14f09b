"""The looks of the project's own Tower of Babel boards: handmade palettes, and random ones."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from datasets.art.style import Colour, sample_colour

Grounds = tuple[Colour, ...]


@dataclass(frozen=True)
class BoardArt:
    """The look of a board in RGB colours: `grounds` are those of the wonders' cells, `area` that of the building areas.

    `area_shows` is the visibility of the cell's picture through the area, `texture` the blotchiness of the paint,
    `ornament` the pattern of areas and frames, `outline` the darkness of lines (0 to 1). `frame` is the outline style
    of areas for pieces.
    """

    name: str
    base: Colour
    grounds: Grounds
    area: Colour
    area_shows: float
    stone: Colour
    ink: Colour
    accent: Colour
    track: tuple[Colour, Colour]
    texture: float
    ornament: str
    outline: float
    frame: str = "line"


ORNAMENTS = ("slabs", "weave", "rays", "plain", "tiles", "waves")

PAPYRUS = BoardArt(
    "papyrus",
    (214, 190, 140),
    ((198, 168, 112), (188, 172, 126), (206, 176, 128), (180, 160, 110)),
    (228, 208, 164),
    0.25,
    (232, 214, 176),
    (70, 48, 30),
    (150, 70, 44),
    ((236, 220, 182), (202, 166, 112)),
    0.7,
    "slabs",
    0.8,
)
MARBLE = BoardArt(
    "marble",
    (196, 198, 202),
    ((172, 182, 194), (190, 186, 178), (168, 188, 184), (188, 178, 188)),
    (222, 222, 224),
    0.15,
    (240, 238, 232),
    (58, 60, 70),
    (92, 120, 150),
    ((232, 232, 234), (190, 196, 206)),
    0.5,
    "tiles",
    0.5,
)
OASIS = BoardArt(
    "oasis",
    (176, 160, 108),
    ((122, 150, 92), (96, 140, 132), (168, 150, 96), (140, 156, 110)),
    (204, 186, 138),
    0.5,
    (226, 206, 164),
    (48, 50, 34),
    (196, 120, 50),
    ((222, 210, 160), (150, 168, 112)),
    1.0,
    "waves",
    0.6,
)
DUSK = BoardArt(
    "dusk",
    (74, 66, 88),
    ((92, 74, 98), (66, 78, 112), (112, 80, 84), (70, 90, 96)),
    (126, 110, 118),
    0.4,
    (190, 164, 150),
    (30, 24, 40),
    (220, 160, 90),
    ((150, 134, 146), (104, 92, 118)),
    0.8,
    "rays",
    0.9,
)
MOSAIC = BoardArt(
    "mosaic",
    (206, 196, 176),
    ((70, 128, 150), (178, 110, 76), (206, 168, 84), (118, 134, 92)),
    (214, 204, 184),
    0.35,
    (236, 226, 200),
    (60, 46, 40),
    (46, 92, 120),
    ((230, 222, 200), (166, 190, 196)),
    0.9,
    "tiles",
    0.7,
)
FRESCO = BoardArt(
    "fresco",
    (190, 140, 108),
    ((160, 176, 170), (204, 160, 118), (148, 158, 130), (196, 138, 110)),
    (216, 190, 158),
    0.6,
    (238, 220, 190),
    (84, 48, 40),
    (120, 60, 60),
    ((226, 200, 166), (182, 120, 92)),
    1.0,
    "weave",
    0.35,
)

ENAMEL = BoardArt(
    "enamel",
    (36, 58, 72),
    ((24, 92, 104), (120, 52, 58), (54, 66, 118), (132, 98, 40)),
    (74, 88, 98),
    0.3,
    (206, 190, 150),
    (232, 206, 140),
    (196, 150, 62),
    ((104, 118, 122), (66, 88, 96)),
    0.4,
    "scales",
    0.5,
    "double",
)
LINEN = BoardArt(
    "linen",
    (232, 226, 212),
    ((222, 214, 200), (210, 218, 212), (226, 212, 206), (214, 214, 222)),
    (240, 236, 226),
    0.2,
    (246, 242, 232),
    (96, 84, 78),
    (148, 76, 66),
    ((244, 240, 230), (214, 206, 190)),
    0.6,
    "hatch",
    0.6,
    "stitched",
)

SLATE = BoardArt(
    "slate",
    (92, 98, 104),
    ((84, 104, 112), (110, 92, 96), (96, 108, 88), (112, 106, 84)),
    (128, 132, 134),
    0.3,
    (186, 184, 176),
    (26, 28, 34),
    (190, 128, 72),
    ((150, 152, 150), (112, 120, 128)),
    0.8,
    "rings",
    0.4,
    "bevel",
)
KILIM = BoardArt(
    "kilim",
    (150, 62, 48),
    ((48, 72, 96), (186, 132, 62), (84, 96, 62), (124, 54, 62)),
    (208, 178, 132),
    0.25,
    (228, 206, 164),
    (52, 28, 30),
    (40, 84, 92),
    ((216, 190, 146), (176, 116, 74)),
    0.9,
    "zigzag",
    0.7,
    "band",
)

LACQUER = BoardArt(
    "lacquer",
    (120, 36, 32),
    ((142, 52, 40), (96, 40, 52), (126, 70, 36), (84, 52, 48)),
    (186, 132, 84),
    0.35,
    (224, 188, 120),
    (38, 20, 18),
    (32, 30, 30),
    ((206, 166, 108), (170, 98, 64)),
    0.5,
    "plain",
    0.6,
    "inset",
)

ARTS = {art.name: art for art in (PAPYRUS, MARBLE, OASIS, DUSK, MOSAIC, FRESCO, ENAMEL, LINEN, SLATE, KILIM, LACQUER)}
HELD_OUT_ARTS = ("mosaic", "fresco")
"""Arts held out from training and fitting, used for measuring tables; some of their photos were inspected while bounds
were set by hand."""
FITTED_BOARD_ARTS = ("papyrus", "marble", "oasis", "dusk", "enamel", "random")
"""Arts used for fitting the weights that find the marks of an empty board."""
HELD_OUT_BOARD_ARTS = ("kilim", "lacquer")
"""Arts held out from every weight and bound of that search: their frames and ornaments resemble those of no other
art."""


FRAMES = ("line", "double", "stitched", "bevel", "corners", "none")
"""Frames of strangers' boards: all but those of arts held out."""


def get_art(name: str, rng: np.random.Generator) -> BoardArt:
    """Return a handmade look by its name, or a random one for `random`; for `stranger`, with any frame."""
    if name == "stranger":
        return replace(_drawn(rng), name=name, frame=str(rng.choice(FRAMES)))
    return _drawn(rng) if name == "random" else ARTS[name]


def _drawn(rng: np.random.Generator) -> BoardArt:
    dark = rng.random() < 0.2
    value = (0.25, 0.45) if dark else (0.6, 0.9)
    light = (0.4, 0.6) if dark else (0.75, 0.95)
    base = sample_colour(rng, (0, 360), (0.05, 0.45), value)
    grounds = tuple(sample_colour(rng, (0, 360), (0.05, 0.55), value) for _ in range(4))
    return BoardArt(
        "random",
        base,
        grounds,
        sample_colour(rng, (0, 360), (0.03, 0.35), light),
        float(rng.uniform(0.05, 0.6)),
        sample_colour(rng, (15, 60), (0.05, 0.4), (0.7, 0.98)),
        sample_colour(rng, (0, 360), (0.1, 0.5), (0.1, 0.3)),
        sample_colour(rng, (0, 360), (0.4, 0.8), (0.4, 0.85)),
        (sample_colour(rng, (0, 360), (0.03, 0.3), light), sample_colour(rng, (0, 360), (0.05, 0.4), light)),
        float(rng.uniform(0.3, 1.0)),
        str(rng.choice(ORNAMENTS)),
        float(rng.uniform(0.2, 1.0)),
    )
