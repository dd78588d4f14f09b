"""The bar by stages: shown on a terminal, and nowhere else."""

from __future__ import annotations

import io

from rich.console import Console

from api.cli.progress import DOING, OF_A_PHOTO, OF_ALL, StageBar
from api.reading.stages import STAGES_OF_TILES
from tests.api.serving import LEVEL
from vision.photo.decoding import Photo
from vision.reader import Reader


def told_to(console: Console) -> None:
    bar = StageBar(console)
    with bar.shown(1):
        for stage in (*OF_A_PHOTO, *OF_ALL):
            bar.tell(stage)
            console.file.flush()
    bar.tell("tiles")


def test_a_terminal_sees_the_stages() -> None:
    text = io.StringIO()
    told_to(Console(file=text, force_terminal=True, width=100))
    assert DOING["track"] in text.getvalue()


def test_a_pipe_sees_nothing() -> None:
    text = io.StringIO()
    told_to(Console(file=text, force_terminal=False))
    assert text.getvalue() == ""


def test_every_stage_of_the_reader_is_put_into_words() -> None:
    assert {*OF_A_PHOTO, *OF_ALL} == DOING.keys()


def test_the_page_is_told_the_stages_in_the_order_of_the_reader() -> None:
    stages: list[str] = []
    reader = Reader(tell=stages.append)
    reader.join([reader.look(Photo.from_path(LEVEL))])
    tile_stages = [stage for stage in stages if stage in STAGES_OF_TILES]
    assert tile_stages == [stage for stage in STAGES_OF_TILES if stage in tile_stages]
    assert {"lattice", "tiles", "meeples", "track"} <= set(tile_stages)
