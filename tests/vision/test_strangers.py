"""Photos by strangers: tables whose boxes, and pictures whose game, nobody stated."""

from __future__ import annotations

import pytest

from tests.scoring.outside import SHARED, needs_shared
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import Reading

PHOTOS = SHARED / "photos"
ANOTHER_GAME = (
    "other-games/hb_junior",
    "other-games/lu_punchboards",
    "other-games/sc_beacon7",
    "no-board/domino_tiles",
)


def read_board(name: str) -> Reading:
    """Return the tiles and wonders of a photo."""
    reader = Reader()
    joint = reader.joiner.group([reader.survey(Photo.from_path(PHOTOS / name))])
    return reader.joiner.read_board(joint).reading


@needs_shared
def test_the_bridge_and_garden_beside_a_complete_river_1_belong_to_it() -> None:
    tiles = [tile.tile for tile in read_board("failing/nw_river.jpg").tiles]
    assert not [tile for tile in tiles if tile and tile.startswith("RI.2/")]
    assert tiles.count("RI.1/RIrI") == 1
    assert tiles.count("RI.1/II") == 2


@needs_shared
def test_a_white_table_is_not_read_as_a_wonder() -> None:
    reading = read_board("failing/ye_render1_white.jpg")
    assert len(reading.tiles) == 72
    assert not reading.wonders


@needs_shared
@pytest.mark.parametrize("name", ANOTHER_GAME)
def test_another_game_is_refused(name: str) -> None:
    with pytest.raises(ReadingError, match="board_not_found"):
        read_board(f"{name}.jpg")
