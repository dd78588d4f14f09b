"""The material for training and the material for evaluation: art sets, table tops and boards, kept apart."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from multiprocessing import get_context
from pathlib import Path
from random import Random

import numpy as np

from datasets.art.procedural import draw_tile, draw_tile_set
from datasets.art.style import STYLES, Style, sample_style
from datasets.art.tileset import TileSet, load_folder
from datasets.art.wonders import draw_wonder_set
from datasets.render.random_tables import Props
from datasets.render.tabletops import CALIBRATION_KINDS, KINDS, MEASURED_KINDS
from models.samples.real_photos import MARKS, RealTable, find_training_labels, load_marked, load_real
from models.samples.tiles import Sources, make_collage
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import EXPANSIONS, deal_random_board, mix_expansions
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from scoring.carcassonne.tiles.geometry import SIDES
from scoring.carcassonne.tiles.other_boxes import list_other_drawings
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from vision.arrays import Image
from vision.evaluation.labels import load_truth
from vision.squares.catalogue import build_drawn_catalogue, build_reading_catalogue

CALIBRATION_SETS = ("c1-kpmrozowski",)
CALIBRATION_STYLES = ("ink",)
"""Art for calibrating confidence: no training uses it, and no figure is measured on it."""
MEASURED_SETS = ("c1-yerren", "c2-koki-yamaguchi")
MEASURED_STYLES = ("autumn", "winter")
"""Art on which figures are measured, used for nothing else."""
HELD_OUT_PRINTINGS = {"C2": ("AM/", "GO/", "HS/", "MW/")}
"""Boxes, by the prefix of their tiles, whose tiles in the sets of an edition are measured and used for nothing else."""
HELD_OUT_SETS = (*CALIBRATION_SETS, *MEASURED_SETS)
HELD_OUT_STYLES = (*CALIBRATION_STYLES, *MEASURED_STYLES)
"""Art that no training uses."""
RANDOM_STYLES = 16
"""Number of made-up styles beside the named ones, different in each cycle. A guess."""
LATER_SHARE, LEVEL_SHARE = 0.5, 0.7
"""Share of the boards with expansions that have the additions of later printings, and share that have one tile of each
layout. A guess."""
PIECE_STYLES, PIECE_BOARDS = 6, 24
"""Numbers of drawn styles and boards for nets of pieces. Bounds time."""
WONDER_SHARE = 0.4
"""Share of boards with wonders. A guess."""
WONDER_STYLES, WONDER_PX = 6, 128
"""Number of drawn styles that have wonders, and the size of a tile on these: each takes seconds to draw. Bounds
time."""
COLLAGES = 12
"""Number of tiles of no known layout made from each set of art. A guess."""
MIN_LAYOUTS = 12
"""Minimum number of the 24 base layouts in an art set that is used for tables. A guess."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Material excluded from a training: art `sets`, and photos of tiles of an `edition` (C2, say)."""

    sets: frozenset[str]
    edition: str

    def covers(self, label: Path) -> bool:
        """Return whether a labelled photo may show excluded art: its edition is the excluded one, or unknown."""
        edition = load_truth(label).art
        return not edition or _of_edition(edition, self.edition)


def leave_out_edition(art: Path, edition: str) -> LeftOut:
    """Exclude all sets of an edition with its later printings (C3.1 of C3); raises ValueError if unknown."""
    editions = _editions(art)
    sets = frozenset(name for name, of in editions.items() if _of_edition(of, edition))
    if not sets:
        raise ValueError(f"{edition} is none of {', '.join(sorted(set(editions.values())))}")
    return LeftOut(sets, edition)


def leave_out_set(art: Path, name: str) -> LeftOut:
    """Exclude one art set, and all photos of its edition, which may show the same tiles; raises ValueError."""
    editions = _editions(art)
    if name not in editions:
        raise ValueError(f"{name} is none of {', '.join(sorted(editions))}")
    return LeftOut(frozenset([name]), editions[name])


def _editions(art: Path) -> dict[str, str]:
    """Return the edition of each art set, as in the manifest."""
    with (art / "manifest.csv").open(encoding="utf-8", newline="") as lines:
        return {row["set"]: row["edition"] for row in csv.DictReader(lines)}


def _of_edition(name: str, edition: str) -> bool:
    return name == edition or name.startswith(f"{edition}.")


def gather_training_material(
    art: Path, photos: Path, labels: Path, seed: int, tabletops: Sequence[str] = KINDS
) -> Sources:
    """Gather the scanned sets not held out, the project's own art, and photos of train/ or with marks."""
    rng = np.random.default_rng(seed)
    sets = load_scanned_sets(art)
    styles = choose_training_styles(rng)
    sets += _draw_sets(styles, seed)
    boards = _boards(110, seed, rng) + _mixed_boards(290, seed, rng)
    sets = _with_wonders(sets, styles, seed)
    props = Props.gather(sets, boards, tabletops, rng, grounds=6 * len(tabletops))
    return Sources(props, _real_tables(photos, labels))


def _real_tables(photos: Path, labels: Path) -> tuple[RealTable, ...]:
    labelled = (load_real(label, photos) for label in find_training_labels(labels))
    return (*labelled, *(load_marked(marks, photos) for marks in sorted(MARKS.glob("*.json"))))


def gather_piece_material(art: Path, photos: Path, labels: Path, seed: int) -> Sources:
    """Gather art and photos for nets of pieces, with tables of the base game alone, which is faster."""
    rng = np.random.default_rng(seed)
    sets = load_scanned_sets(art) + [
        draw_tile_set(style, seed) for style in choose_training_styles(rng)[-PIECE_STYLES:]
    ]
    props = Props.gather(sets, _boards(PIECE_BOARDS, seed, rng), KINDS, rng, grounds=2 * len(KINDS))
    return Sources(props, _real_tables(photos, labels))


def gather_piece_calibration_material(art: Path, seed: int) -> Sources:
    """Gather the material of `gather_calibration_material` for the base game alone."""
    rng = np.random.default_rng(seed)
    sets = [*_scanned(art / name for name in CALIBRATION_SETS)]
    sets += [draw_tile_set(STYLES[name], seed) for name in CALIBRATION_STYLES]
    boards = _boards(PIECE_BOARDS, seed + 7, rng)
    return Sources(Props.gather(sets, boards, CALIBRATION_KINDS, rng, grounds=12), (), 0.0)


def gather_material_without(left: LeftOut, art: Path, photos: Path, labels: Path, seed: int) -> Sources:
    """Gather tables of the base game without the excluded material or marked photos, which name no tile."""
    rng = np.random.default_rng(seed)
    sets = load_scanned_sets(art, left.sets)
    sets += [draw_tile_set(style, seed + i) for i, style in enumerate(choose_training_styles(rng))]
    props = Props.gather(sets, _boards(200, seed, rng), KINDS, rng)
    return Sources(
        props, tuple(load_real(label, photos) for label in find_training_labels(labels) if not left.covers(label))
    )


def gather_calibration_material(art: Path, seed: int) -> Sources:
    """Gather art and table tops used by neither training nor measurement; no photos."""
    rng = np.random.default_rng(seed)
    sets = _scanned(art / name for name in CALIBRATION_SETS)
    sets += [_drawn(STYLES[name], seed) for name in CALIBRATION_STYLES]
    sets = _with_wonders(sets, [STYLES[name] for name in CALIBRATION_STYLES], seed)
    boards = _boards(60, seed + 7, rng) + _mixed_boards(40, seed + 7, rng)
    return Sources(Props.gather(sets, boards, CALIBRATION_KINDS, rng, grounds=24), (), 0.0)


def _with_wonders(sets: list[TileSet], styles: Sequence[Style], seed: int) -> list[TileSet]:
    """Add wonders drawn in their styles to the last sets; any of these wonders lie among other tiles."""
    style_by_number = dict(list(zip(range(len(sets) - len(styles), len(sets)), styles, strict=True))[-WONDER_STYLES:])
    return [
        replace(s, wonders=draw_wonder_set(style_by_number[i], seed, WONDER_PX)) if i in style_by_number else s
        for i, s in enumerate(sets)
    ]


def _some_wonders(rng: np.random.Generator) -> list[WonderLayout]:
    """Sample no wonder for most boards, else one to four."""
    count = int(rng.integers(1, 5)) if rng.random() < WONDER_SHARE else 0
    return [list(load_wonder_catalogue().values())[i] for i in rng.permutation(len(WONDERS))[:count]]


def load_scanned_sets(art: Path, without: frozenset[str] = frozenset()) -> list[TileSet]:
    """Load the scanned sets for training: never the held-out ones, nor those named."""
    kept_back = {*HELD_OUT_SETS, *without}
    return _scanned(f for f in sorted(art.iterdir()) if f.is_dir() and f.name not in kept_back)


def choose_training_styles(rng: np.random.Generator) -> list[Style]:
    """Return the named styles except the held-out ones, and made-up ones."""
    made_up = [sample_style(rng) for _ in range(RANDOM_STYLES)]
    return [style for style in STYLES.values() if style.name not in HELD_OUT_STYLES] + made_up


def _as_read(tiles: Catalogue) -> Catalogue:
    """Return the tiles under their names in the reading catalogue."""
    catalogue = build_reading_catalogue()
    return Catalogue(tuple(replace(catalogue[one.id], count=one.count) for one in tiles if one.id in catalogue))


def _draw_sets(styles: Sequence[Style], seed: int) -> list[TileSet]:
    """Draw the project's own art in each of the styles, on all processors: a style takes seconds."""
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as processes:
        return list(processes.map(_drawn, styles, range(seed, seed + len(styles))))


def _drawn(style: Style, seed: int) -> TileSet:
    """Draw the project's own art: two pictures of each base layout, one of each other in alternating variants."""
    base = draw_tile_set(style, seed)
    rest = [layout for layout in build_drawn_catalogue() if layout.id not in base.pictures]
    pictures, others = (
        {layout.id: (draw_tile(layout, style, seed, variant=i % 2),) for i, layout in enumerate(layouts, seed)}
        for layouts in (rest, list_other_drawings())
    )
    return _with_collages(TileSet(base.name, {**base.pictures, **pictures}, others), seed)


def _scanned(folders: Iterable[Path]) -> list[TileSet]:
    """Load scanned sets; a set that lacks most of the base game only lends its tiles of other boxes."""
    return [_with_collages(load_scans(folder), number) for number, folder in enumerate(folders)]


def load_scans(folder: Path) -> TileSet:
    """Load a scanned set, without the printings of other boxes that are held out."""
    base = {layout.id for layout in load_base_catalogue()}
    scans, held_out = load_folder(folder, build_drawn_catalogue()), _find_held_out_boxes(folder)
    others = {tile: pictures for tile, pictures in scans.others.items() if not tile.startswith(held_out)}
    is_whole = len(scans.pictures.keys() & base) >= MIN_LAYOUTS
    return replace(scans, others=others, pictures=scans.pictures if is_whole else {})


def gather_held_out_printings(art: Path, seed: int) -> Sources:
    """Gather tables of measured art, among which lie tiles of the printings that are held out; no photos."""
    rng = np.random.default_rng(seed)
    folders = [folder for folder in sorted(art.iterdir()) if folder.is_dir()]
    sets = [replace(load_scans(art / name), others={}) for name in MEASURED_SETS]
    sets += [TileSet(folder.name, {}, load_held_out_tiles(folder)) for folder in folders]
    return Sources(Props.gather(sets, _boards(40, seed, rng), MEASURED_KINDS, rng, grounds=24), (), 0.0)


def load_held_out_tiles(folder: Path) -> Mapping[str, tuple[Image, ...]]:
    """Load the pictures, by id, of a scanned set's tiles in the printings that are held out."""
    held_out = _find_held_out_boxes(folder)
    scans = load_folder(folder, build_drawn_catalogue()) if held_out else TileSet(folder.name, {})
    return {tile: pictures for tile, pictures in scans.others.items() if tile.startswith(held_out)}


def _find_held_out_boxes(folder: Path) -> tuple[str, ...]:
    """Return the prefixes of the boxes whose tiles in a folder's set are held out."""
    return HELD_OUT_PRINTINGS.get(_editions(folder.parent)[folder.name].partition(".")[0], ())


def _with_collages(tiles: TileSet, seed: int) -> TileSet:
    """Add tiles of no known layout, each made of four quarters of a set's tiles with three busy edges or more."""
    rng = np.random.default_rng(seed)
    busy = [
        (layout, picture)
        for layout in build_drawn_catalogue()
        for picture in tiles.pictures.get(layout.id, ())
        if sum(layout.edge(side) == "field" for side in SIDES) < 2
    ]
    collages = [make_collage([busy[i] for i in rng.integers(len(busy), size=4)], rng) for _ in busy[:COLLAGES]]
    return replace(tiles, others={**tiles.others, **{name: (picture,) for name, picture in collages}})


def _boards(count: int, seed: int, rng: np.random.Generator) -> list[Board]:
    sizes = [int(rng.integers(12, 73)) for _ in range(count)]
    return [
        deal_random_board(Random(seed * 1000 + i), size, wonders=_some_wonders(rng)) for i, size in enumerate(sizes)
    ]


def _mixed_boards(count: int, seed: int, rng: np.random.Generator) -> list[Board]:
    """Deal boards with expansions; most have each layout once, so that the rare ones are learned as well."""
    boards = []
    for i in range(count):
        chosen = [box for box in EXPANSIONS if rng.random() < 0.5] or [list(EXPANSIONS)[i % len(EXPANSIONS)]]
        tiles = _as_read(mix_expansions(chosen, later=rng.random() < LATER_SHARE, level=rng.random() < LEVEL_SHARE))
        most = sum(layout.count for layout in tiles)
        size, wonders = int(rng.integers(30, most + 1)), _some_wonders(rng)
        boards.append(deal_random_board(Random(seed * 1000 + i), tiles=size, catalogue=tiles, wonders=wonders))
    return boards
