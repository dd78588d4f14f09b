"""Data that every reading needs, loaded once when this module is imported.

Reader processes are forked from one that has imported it (`api.reading.process_start`), so tiles and wonders are
available at once, in shared memory.
"""

from __future__ import annotations

from scoring.calibration import load_platt_scalings
from scoring.carcassonne.tiles.catalogue import load_full_catalogue
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from vision.squares.catalogue import build_reading_catalogue

build_reading_catalogue()
load_full_catalogue()
load_wonder_catalogue()
load_platt_scalings("carcassonne")
