"""A game's life without the nets, which ends itself before its Nth write, and a new start that goes on with the game.

Both are for processes of their own. Everything except the reading of a photo's pixels is the server's own code.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from api.documents.game_corrections import GivePoints
from api.schemas.games import GameCreate
from api.server.settings import Settings
from api.service import game_state, game_worker, openers
from api.service.games import Games
from api.service.job_queue import Jobs
from api.service.metrics import Gauges
from api.service.readings import Readings
from api.service.worker import EnrolmentPlaces, Upload
from api.store.database import open_database
from api.store.games import GameStore, StoredGame
from api.store.photos import PhotoStore
from api.store.readings import ReadingStore
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.notation import parse_notation
from tests.api.killed import Writes
from tests.api.tables_read import reading_of
from vision.enrolment.durable import write_durably
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.sequence.followed import Followed

FIRST = "photo 1"
BOARDS = ("L0", "L0/X0", "L0/X0/X0")
"""The boards that the photos show, by their brightness."""
PLAYERS = [{"colour": "blue"}, {"colour": "red"}]
SETTINGS = GameCreate.model_validate({"players": PLAYERS, "on_turn": "blue"}).model_dump(mode="json")


@dataclass(frozen=True)
class Shot:
    """The survey of a photo."""

    photo: Photo


@dataclass
class Shots:
    """The photos of a game in the order in which they were read, each with its board."""

    photos: list[Photo] = field(default_factory=list)

    def add(self, shot: Shot) -> None:
        """Add a photo; the pixels of the one before are needed no longer."""
        self.photos = [*(one.without_pixels() for one in self.photos), shot.photo]

    def look_again(self, photo: Photo, like: Shot | None = None) -> Shot | None:
        """Return the survey of a photo whose board is found where another photo shows it."""
        return like and Shot(photo)

    def follow(self, colours: Collection[str] = ()) -> Followed:
        """Return the boards of the photos."""
        boards = tuple(self._read(photo.file) for photo in self.photos)
        return Followed(tuple(self.photos), boards, reading_of(boards[-1]).tiles, (), frozenset())

    def _read(self, file: str) -> Board:
        """Return the board of a photo; the last one's pixels are those that were sent."""
        number = int(file.removeprefix("photo ")) - 1
        assert self.photos[-1].pixels.any(), "the last photo has its pixels again"
        return parse_notation(BOARDS[number])


class ShotReader:
    """A reader that knows the boards in advance, and finds the first one only once it knows the second."""

    def survey_moment(self, photo: Photo) -> Shot:
        """Return the survey of a photo."""
        if photo.file == FIRST:
            raise ReadingError("board_not_found")
        return Shot(photo)

    def begin_series(self, copies: Mapping[str, int]) -> Shots:
        """Return an empty series."""
        return Shots()


class Here(Jobs):
    """A worker in this process."""

    def add(self, job: str, work: Callable[..., Any], *arguments: Any, always: bool = False) -> asyncio.Future[Any]:
        """Work at once."""
        outcome: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        outcome.set_result(work(0, *arguments))
        return outcome


class Opened(openers.Openers):
    """An opener in this process."""

    async def encode(self, file: Path, name: str) -> tuple[bytes, tuple[int, int]]:
        """Encode a photo at once."""
        return openers._encode_photo(file, name)


class GamesHere(Games):
    """Games whose logs are written in this process."""

    async def _build(self, task: game_worker.LogTask) -> game_worker.BuiltLog | None:
        return game_worker.build_game_log(task)


def keep(url: str, folder: Path, last: int) -> None:
    """Keep a game: send its photos, one of them twice, correct and finish it; delete another one."""
    writes = Writes(last)
    _count_states(writes)
    asyncio.run(_with_games(url, folder, _keep))


def look(url: str, folder: Path) -> None:
    """Start again, check the games, send the photos again as a phone does, and delete everything."""
    asyncio.run(_with_games(url, folder, _look))


def _count_states(writes: Writes) -> None:
    """End this process before, within and after a state of a game is written as well."""

    def write_counted(file: Path, data: bytes, draft: Path) -> None:
        writes.next()
        draft.write_bytes(data[: len(data) // 2])
        writes.next()
        write_durably(file, data, draft)
        writes.next()

    setattr(game_state, "write_durably", write_counted)  # noqa: B010 - a name that the module only imports


async def _with_games(url: str, folder: Path, work: Callable[[Games, Path], Any]) -> None:
    """Work with the games of a server that ends in order."""
    setattr(game_worker, "reach_reader", lambda desk: ShotReader())  # noqa: B010 - as above
    settings = Settings(data=folder, database=url, stray_minutes=0)
    jobs = Here(1, 0, 60, EnrolmentPlaces(url, folder))
    gauges, engine = Gauges(jobs), open_database(url)
    readings = Readings(settings, ReadingStore(engine), PhotoStore(settings.photos_url), jobs, gauges)
    games = GamesHere(settings, GameStore(engine, readings.measure_keep_seconds), readings, jobs, gauges)
    await readings.open()
    await games.open()
    for _ in range(2):  # those of the start: later they might take a photo that is not noted yet
        await readings.sweep()
    await work(games, folder)
    await games.close()
    await readings.close()
    engine.dispose()


async def _keep(games: Games, folder: Path) -> None:
    game, _ = await games.create(SETTINGS)
    for number in (0, 1, 1, 2):
        await _send(games, game, number, folder)
    await _settle(games, game)
    await games.correct(games.store.get(game), GivePoints(photo="photo 3", points={"blue": 2}), "Eva")
    _note(folder, "corrected")
    (correction,) = games.store.get(game).corrections
    await games.remove_correction(games.store.get(game), correction.id)
    _note(folder, "undone")
    await games.finish(games.store.get(game), True)
    _note(folder, "finished")
    other, _ = await games.create(SETTINGS)
    await _send(games, other, 0, folder)
    await games.delete(games.store.get(other))
    _note(folder, "deleted")


async def _send(games: Games, game: str, number: int, folder: Path) -> None:
    upload = Upload(folder / f"sent-{number}.png", "photo.png")
    assert upload.file is not None
    upload.file.write_bytes(cv2.imencode(".png", np.full((30, 40, 3), 60 + 40 * number, np.uint8))[1].tobytes())
    await games.add_photo(games.store.get(game), f"turn-{number}", upload, Opened())
    upload.file.unlink()
    _note(folder, f"{game} turn-{number}")


def _note(folder: Path, what: str) -> None:
    """Note what the server has confirmed."""
    with (folder / "confirmed").open("a", encoding="utf-8") as file:
        file.write(f"{what}\n")


async def _settle(games: Games, game: str) -> StoredGame:
    while not (stored := games.store.get(game)).is_up_to_date:
        await asyncio.sleep(0.01)
    return stored


async def _look(games: Games, folder: Path) -> None:
    confirmed = (folder / "confirmed").read_text("utf-8").split("\n") if (folder / "confirmed").exists() else []
    counts: list[str] = []
    for game in games.store.list_ids():
        before = await _settle(games, game)
        sent = {photo.client_id for photo in before.photos}
        assert {f"{game} {client_id}" for client_id in sent} >= {line for line in confirmed if line.startswith(game)}
        _check(before)
        assert ("finished" not in confirmed) or before.finished or len(before.photos) < len(BOARDS)
        counts.append(f"{len(before.photos)} {len(before.corrections)} {before.finished is not None}")
        for number in range(len(BOARDS)):
            await _send(games, game, number, folder)
        _check(await _settle(games, game))
        _damage_state(folder, game)
        await games.correct(games.store.get(game), GivePoints(photo="photo 2", points={"red": 0}), "Eva")
        whole = await _settle(games, game)
        _check(whole)
        assert [photo.client_id for photo in whole.photos] == [f"turn-{number}" for number in range(len(BOARDS))]
        assert set(PhotoStore(f"{folder}/photos").list_keys()) >= {photo.key for photo in whole.photos}
        await games.delete(whole)
    with suppress(FileNotFoundError):
        (folder / "confirmed").unlink()
    assert PhotoStore(f"{folder}/photos").list_keys() == []
    assert not [*(folder / "game-states").rglob("*.*")]
    (folder / "told.json").write_text(json.dumps(counts))


def _damage_state(folder: Path, game: str) -> None:
    """Damage the state of a game, which is then made anew."""
    (file,) = (folder / "game-states").rglob(f"{game}.state")
    file.write_bytes(file.read_bytes()[:-100])


def _check(game: StoredGame) -> None:
    """Check that each photo counts once, in the order in which they came."""
    assert [photo.number for photo in game.photos] == [*range(1, len(game.photos) + 1)]
    assert {photo.status for photo in game.photos} <= {"aside" if len(game.photos) == 1 else "read"}
    if len(game.photos) < 2:
        assert game.document is None
        return
    assert game.document is not None, game.problem
    log = json.loads(game.document)
    assert [photo["file"] for photo in log["photos"]] == [f"photo {photo.number}" for photo in game.photos]
    assert log["boards"] == list(BOARDS[: len(game.photos)])
    assert len(log["stretches"]) == len(game.photos) - 1
