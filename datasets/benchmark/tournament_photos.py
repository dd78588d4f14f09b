"""Drawn photos of a tournament: tables with several photos each, some bad, some repeated, and the CSV that lists them.

There are few boards (`BOARDS`), each laid once and photographed from `VIEWS` sides; every photo is one of these
pictures with its own crop and light, so that no 2 files are equal unless intended.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.benchmark.photos import SIZE_PX, STYLES, TABLETOPS, vary_photo
from datasets.generate import gather_art
from datasets.render.several_photos import Part, shoot_several
from datasets.render.shots import Manner
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.deal.boards import COLOURS, deal_random_board
from scoring.carcassonne.final.scoring import compute_final_scoring
from scoring.carcassonne.final.table import Table
from vision.arrays import Image

EVENT = "cup"
ROUNDS = 4
PLAYERS = 2
BOARDS, VIEWS, TILES = 5, 2, 16
LAST = ("twice", "torn", "no picture", "no board")
"""Kinds of the last photo of each table, in turn: a repetition under another name, or a bad one."""
MAX_TRACK_POINTS = 90
USABLE = "seen"
"""A usable photo of the table."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A table: the kind of each photo by its name, and the players' names and true totals by colour."""

    round: int
    number: int
    photos: Mapping[str, str]
    names: Mapping[str, str]
    track: Mapping[str, int]
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class _Scene:
    board: Board
    views: Sequence[Image]


def draw_tournament(folder: Path, tables: int, photos: int, seed: int) -> list[Drawn]:
    """Draw all photos; those of the last table are all truncated, so that nothing is known of it."""
    scenes = _scenes(seed)
    listing = [
        _table(number, tables, _kinds(number, tables, photos), scenes[number % BOARDS].board)
        for number in range(tables)
    ]
    for number, table in enumerate(listing):
        rng = np.random.default_rng([seed, number])
        data = b""
        for name, kind in table.photos.items():
            data = _content(kind, scenes[number % BOARDS], data, rng)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_bytes(data)
    return listing


def write_listing(file: Path, tables: Sequence[Drawn]) -> None:
    """Write the CSV with each photo's table, players and score track."""
    columns = ["photo", "event", "round", "table", *COLOURS, *(f"{colour}_track" for colour in COLOURS)]
    with file.open("w", encoding="utf-8", newline="") as opened:
        writer = csv.DictWriter(opened, columns)
        writer.writeheader()
        for table in tables:
            about = {"event": EVENT, "round": table.round, "table": table.number, **table.names}
            about |= {f"{colour}_track": points for colour, points in table.track.items()}
            writer.writerows({"photo": name, **about} for name in table.photos)


def _kinds(number: int, tables: int, photos: int) -> list[str]:
    count = photos // tables + (number < photos % tables)
    if number == tables - 1:
        return ["torn"] * count
    return [USABLE] * (count - 1) + [LAST[number % len(LAST)]]


def _table(number: int, tables: int, kinds: Sequence[str], board: Board) -> Drawn:
    """Return a table whose players meet different opponents in every round."""
    turn, place, seats = number % ROUNDS, number // ROUNDS, -(-tables // ROUNDS)
    names = {c: f"{'AB'[seat]}{(place + seat * turn) % seats:03d}" for seat, c in enumerate(board.players)}
    track = {c: (7 * number + 13 * seat) % MAX_TRACK_POINTS for seat, c in enumerate(board.players)}
    scored = compute_final_scoring(board, table=Table(tuple(names))).totals
    return Drawn(
        round=turn + 1,
        number=place + 1,
        photos={f"round-{turn + 1}/table-{place + 1:03d}-{i}.jpg": kind for i, kind in enumerate(kinds)},
        names=names,
        track=track,
        totals={colour: scored[colour] + track[colour] for colour in names},
    )


def _content(kind: str, scene: _Scene, before: bytes, rng: np.random.Generator) -> bytes:
    if kind == "twice":
        return before
    if kind == "no picture":
        return rng.bytes(20_000)
    if kind == "no board":
        return _jpeg(rng.integers(90, 110, (SIZE_PX[1], SIZE_PX[0], 3), np.uint8))
    data = _jpeg(vary_photo(scene.views[int(rng.integers(len(scene.views)))], rng))
    return data[: len(data) // 2] if kind == "torn" else data


def _jpeg(image: Image) -> bytes:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])
    return np.asarray(data).tobytes()


def _scenes(seed: int) -> list[_Scene]:
    sets, manner = gather_art([], STYLES, seed), Manner(SIZE_PX, (60.0, 90.0), free=(0.05, 0.15), strength=None)
    return [
        _Scene(board, [shot.image for shot in shots])
        for i, board in enumerate(_boards(seed))
        for shots in [
            shoot_several(
                board, sets[i % 2], TABLETOPS[i // 2 % 2], manner, [Part()] * VIEWS, np.random.default_rng([seed, i])
            )
        ]
    ]


def _boards(seed: int) -> Iterator[Board]:
    """Yield boards on which every player still has a piece."""
    numbers, count = iter(range(seed, seed + 1000)), 0
    while count < BOARDS:
        board = deal_random_board(Random(next(numbers)), tiles=TILES, players=PLAYERS)
        if len(board.players) == PLAYERS:
            count += 1
            yield board
