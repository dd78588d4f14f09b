"""What the nets learn from and what they are judged by: art sets, table tops and boards, kept apart."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from random import Random

import numpy as np

from datasets.art.procedural import procedural_set
from datasets.art.style import STYLES, random_style
from datasets.art.tileset import TileSet, load_folder
from datasets.scenes import Props
from datasets.tabletops import CALIBRATION_KINDS, KINDS
from models.real import MARKS, load_marked, load_real, training_labels
from models.samples import Sources
from scoring.carcassonne.board import Board
from scoring.carcassonne.catalogue import base_catalogue
from scoring.carcassonne.deal import random_board

CALIBRATION_SETS = ("c1-kpmrozowski",)
CALIBRATION_STYLES = ("ink",)
"""Art that confidence is calibrated on: no training sees it, and no figure is measured on it."""
MEASURED_SETS = ("c1-yerren", "c2-koki-yamaguchi")
MEASURED_STYLES = ("autumn",)
"""Art that figures are measured on, and nothing else."""
HELD_OUT_SETS = (*CALIBRATION_SETS, *MEASURED_SETS)
HELD_OUT_STYLES = (*CALIBRATION_STYLES, *MEASURED_STYLES)
RANDOM_STYLES = 10
"""Made-up styles beside the named ones, others in each cycle."""
LAYOUTS_LEAST = 12
"""An art set with fewer of the 24 base layouts lays no table."""


def training_material(art: Path, photos: Path, labels: Path, seed: int) -> Sources:
    """Scanned sets but the held-out ones, the project's own art, and the photos of train/ and unlabelled/."""
    rng = np.random.default_rng(seed)
    sets = _scanned(f for f in sorted(art.iterdir()) if f.is_dir() and f.name not in HELD_OUT_SETS)
    styles = [s for s in STYLES.values() if s.name not in HELD_OUT_STYLES] + [
        random_style(rng) for _ in range(RANDOM_STYLES)
    ]
    sets += [procedural_set(style, seed + i) for i, style in enumerate(styles)]
    props = Props.gather(sets, _boards(250, seed, rng), KINDS, rng)
    real = [load_real(label, photos) for label in training_labels(labels)]
    real += [load_marked(marks, photos) for marks in sorted(MARKS.glob("*.json"))]
    return Sources(props, tuple(real))


def calibration_material(art: Path, seed: int) -> Sources:
    """Art and table tops that neither a training nor a measurement sees; no photos."""
    rng = np.random.default_rng(seed)
    sets = _scanned(art / name for name in CALIBRATION_SETS)
    sets += [procedural_set(STYLES[name], seed) for name in CALIBRATION_STYLES]
    return Sources(Props.gather(sets, _boards(60, seed + 7, rng), CALIBRATION_KINDS, rng, grounds=24), (), 0.0)


def _scanned(folders: Iterable[Path]) -> list[TileSet]:
    sets = [load_folder(folder, base_catalogue()) for folder in folders]
    return [s for s in sets if len(s.pictures) >= LAYOUTS_LEAST]


def _boards(count: int, seed: int, rng: np.random.Generator) -> list[Board]:
    return [random_board(Random(seed * 1000 + i), tiles=int(rng.integers(12, 73))) for i in range(count)]
