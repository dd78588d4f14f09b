"""Work on games kept by their photos in other processes: a further photo is read, and the log follows from all."""

from __future__ import annotations

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache, partial
from pathlib import Path
from typing import Any

from structlog.contextvars import bound_contextvars

from api.carcassonne.report.moves import MoveOptions, build_moves
from api.carcassonne.report.moves_schema import Moves
from api.documents.game_corrections import GAME_CORRECTIONS
from api.errors import CorrectionError, QuestionError, build_error_document
from api.reading.surveys import GameInPhotos
from api.server.errors import ServerError, restore_error
from api.service.game_state import GameStates, GameView
from api.service.worker import open_photo_store, reach_reader, reach_storage, take_desk
from api.store.games import Log
from api.store.photos import PhotoStore
from api.store.unavailable import PassingError
from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.final.rulesets import get_ruleset
from vision.errors import WondertallyError
from vision.photo.decoding import Photo
from vision.reader import Reader

MAX_ATTEMPTS = 3
"""Maximum number of times that the process may end while it reads a photo. A guess."""

log = logging.getLogger("wondertally")


@dataclass(frozen=True, slots=True)
class GameTask:
    """The photos of a game that are to be read in this order, by their names and keys; one of them is read at once.

    The state of the game is in `folder`. `copies` are the stated numbers of copies of boxes, `colours` those of the
    players; `request` is the id of the request for the reading.
    """

    game: str
    photos: Mapping[str, str]
    copies: Mapping[str, int]
    colours: tuple[str, ...]
    folder: Path
    photos_url: str
    database: str
    request: str = ""


@dataclass(frozen=True, slots=True)
class GameOutcome:
    """The number of a game's photos that were read, and the error of the next one, if there is one.

    `aside` are the reasons for which photos could not be read, by their names.
    """

    count: int = 0
    aside: Mapping[str, str] = field(default_factory=dict)
    error: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class LogTask:
    """A game whose log is wanted: its settings and corrections, and the keys of its photos that were read."""

    game: str
    folder: Path
    settings: Mapping[str, Any]
    corrections: Sequence[Any]
    keys: frozenset[str]


@dataclass(frozen=True, slots=True)
class BuiltLog:
    """The log of a game, and the document of the error if its last correction cannot be applied."""

    log: Log
    refusal: dict[str, Any] | None = None


def name_photo(number: int) -> str:
    """Return the name of a game's photo in its document, by its number."""
    return f"photo {number}"


def read_game_photo(desk: int, task: GameTask) -> GameOutcome:
    """Read the first photo that the state of a game lacks, and write the new state.

    Raises PassingError if it has to be read again later.
    """
    ids = {"game": task.game, "request": task.request}
    with bound_contextvars(**{name: value for name, value in ids.items() if value}):
        try:
            return _read_next(desk, task)
        except PassingError:
            with suppress(OSError):
                GameStates(task.folder).end(task.game)
            raise
        except WondertallyError as error:
            log.info("photo_not_read", extra={"code": error.code})
            return GameOutcome(error=build_error_document(error)["error"])


def _read_next(desk: int, task: GameTask) -> GameOutcome:
    take_desk(desk)
    states, reader = GameStates(task.folder), cache(partial(reach_reader, desk))
    with reach_storage():
        store, keys = open_photo_store(task.photos_url, task.database), list(task.photos.values())
        attempts = states.begin(task.game, keys[-1])
        view, series = _load(task, states, reader, store)
        count = len(view.keys)
        if count == len(keys) or attempts >= MAX_ATTEMPTS:
            states.end(task.game)
            error = None if count == len(keys) else build_error_document(ServerError("interrupted"))["error"]
            return _conclude(view, error)
    name, key = list(task.photos.items())[count]
    series.add(name, partial(_open_photo, store, key, name))
    view = _follow(series, (*view.keys, key), task.colours)
    with reach_storage():
        states.write(task.game, view, series)
        states.end(task.game)
    log.info("photo_read", extra={"photos": count + 1})
    return _conclude(view)


def _conclude(view: GameView, error: dict[str, Any] | None = None) -> GameOutcome:
    return GameOutcome(len(view.keys), {photo.file: photo.reason for photo in view.aside}, error)


def _load(
    task: GameTask, states: GameStates, reader: Callable[[], Reader], store: PhotoStore
) -> tuple[GameView, GameInPhotos]:
    """Load the state of a game, or begin anew if there is none, or one of other photos."""
    keys = tuple(task.photos.values())
    loaded = states.load(
        task.game,
        lambda view: view.keys == keys[: len(view.keys)],
        reader,
        lambda name: _open_photo(store, task.photos[name], name),
    )
    return loaded or (GameView(), GameInPhotos(reader, task.copies))


def _open_photo(store: PhotoStore, key: str, name: str) -> Photo:
    with reach_storage():
        data = store.get(key)
    return Photo.from_bytes(data, name)


def _follow(series: GameInPhotos, keys: tuple[str, ...], colours: Collection[str]) -> GameView:
    aside = tuple(series.aside)
    try:
        return GameView(keys, aside, series.follow(colours))
    except WondertallyError as error:
        return GameView(keys, aside, problem=build_error_document(error)["error"])


def build_game_log(task: LogTask) -> BuiltLog | None:
    """Build the log of a game from its state; None if the state lacks a photo that was read, so that it has to be
    made anew.
    """
    view = GameStates(task.folder).read(task.game) if task.keys else GameView()
    if view is None or not task.keys.issubset(view.keys):
        return None
    try:
        moves = _build_moves(view, task)
        return BuiltLog(Log(moves.to_json(), None), _find_refusal(moves, len(task.corrections) - 1))
    except WondertallyError as error:
        return BuiltLog(Log(None, build_error_document(error)["error"]))


def _build_moves(view: GameView, task: LogTask) -> Moves:
    if view.problem is not None:
        raise restore_error(view.problem)
    if view.followed is None:
        raise QuestionError("too_few_photos", details={"photos": []})
    document = build_moves(view.followed, build_move_options(task.settings, task.corrections))
    document.set_aside = [*view.aside, *document.set_aside]
    return document


def _find_refusal(moves: Moves, correction: int) -> dict[str, Any] | None:
    """Return the document of the error for which a correction was refused, None if it was applied."""
    for refused in moves.refused:
        if refused.correction == correction:
            error = CorrectionError(refused.code, refused.text, refused.details)
            return dict(build_error_document(error)["error"])
    return None


def build_move_options(settings: Mapping[str, Any], corrections: Sequence[Any]) -> MoveOptions:
    """Build the facts stated about a game from its settings and its corrections, as JSON."""
    players = tuple(player["colour"] for player in settings["players"])
    points = tuple(settings["points"].get(player, 0) for player in players) if settings["points"] else ()
    return MoveOptions(
        get_ruleset(settings["rules"]),
        players,
        settings["on_turn"],
        points,
        BoxRules.of(settings["box_rules"]),
        settings["boxes"],
        tuple(GAME_CORRECTIONS.validate_python(corrections)),
        settings["wonders"],
    )
