"""A photo of a board with a wonder, and its reading."""

from __future__ import annotations

from functools import cache
from random import Random

import cv2

from scoring.carcassonne.deal.boards import deal_random_board
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from tests.drawn_boards import shoot_from_above
from tests.readers import reader
from vision.evaluation.labels import Truth, read_truth
from vision.photo.decoding import Photo
from vision.reading.values import Reading

WONDER = load_wonder_catalogue()["WH/alhambra"]


@cache
def table() -> tuple[Photo, Reading, Truth]:
    """Return a board of 14 tiles and a wonder, photographed from above, and read."""
    shot = shoot_from_above(deal_random_board(Random(2), 14, wonders=[WONDER]))
    photo = Photo.from_bytes(cv2.imencode(".png", shot.image)[1].tobytes())
    truth = read_truth({"photo": "a.png", **shot.label}, "a")
    return photo, reader().read(photo), truth
