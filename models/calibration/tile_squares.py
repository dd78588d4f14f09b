"""A photo's own survey with the squares of its tiles, on which a fit searches for pieces."""

from __future__ import annotations

from pathlib import Path

from scoring.carcassonne.tiles.geometry import Square
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.survey.survey import Survey


def survey_tiles(reader: Reader, file: Path) -> tuple[Survey, list[Square]]:
    """Survey a photo; return the survey and the squares of its lattice with tiles; raises ReadingError."""
    survey = reader.survey(Photo.from_path(file))
    tiles = {tile.square for tile in reader.join([survey]).views[0].reading.tiles}
    return survey, sorted(tiles.intersection(survey.lattice.corners))
