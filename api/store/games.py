"""Games kept by their photos in the database; every method is one transaction, from any thread."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
from typing import Any, Literal

from sqlalchemy import Engine, Select, delete, func, select, update
from sqlalchemy.orm import Session

from api.server.errors import ServerError, build_field_error
from api.store.database import begin_snapshot
from api.store.tables import GameCorrectionRow, GamePhotoRow, GameRow, get_seconds

PhotoStatus = Literal["queued", "read", "aside", "failed"]
"""States of a photo; one that is aside was not readable, one that failed ended its reader."""
MAX_PHOTOS = 200
"""Maximum number of photos of a game: two for each of its turns. A guess."""
MAX_CORRECTIONS = 400
"""Maximum number of corrections of a game. A guess."""


@dataclass(frozen=True, slots=True)
class GamePhoto:
    """A photo of a game, by its number from 1 in order of arrival; `sha256` is that of the file as it was sent.

    `error` states why it could not be read.
    """

    number: int
    client_id: str
    sha256: str
    key: str
    width: int
    height: int
    status: PhotoStatus
    error: dict[str, Any] | None
    made: int


@dataclass(frozen=True, slots=True)
class GameCorrection:
    """A person's statement about a game, made in seconds since 1970 by `who` (empty: unknown)."""

    id: int
    correction: dict[str, Any]
    who: str
    made: int


@dataclass(frozen=True, slots=True)
class Log:
    """The log of a game as JSON, or the document of the error why there is none."""

    document: str | None
    problem: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class StoredGame:
    """A stored game: see `api.store.tables.GameRow`."""

    id: str
    token_hash: str
    settings: dict[str, Any]
    created: int
    expires: int
    finished: int | None
    version: int
    inputs: int
    documented: int
    document: str | None
    problem: dict[str, Any] | None
    photos: tuple[GamePhoto, ...]
    corrections: tuple[GameCorrection, ...]

    @property
    def waiting(self) -> GamePhoto | None:
        """The photo that is read next."""
        return next((photo for photo in self.photos if photo.status == "queued"), None)

    @property
    def is_up_to_date(self) -> bool:
        """Whether all photos were read and the document follows from them and all corrections."""
        return self.waiting is None and self.documented == self.inputs


_GAME_COLUMNS = tuple(field.name for field in fields(StoredGame) if field.name not in ("photos", "corrections"))


class GameStore:
    """Games of a database; expired ones are not found. A game is kept for `keep_seconds` after its last change."""

    def __init__(self, engine: Engine, keep_seconds: Callable[[], float]) -> None:
        self._engine, self._keep_seconds = engine, keep_seconds

    def add(self, game: str, token_hash: str, settings: dict[str, Any]) -> None:
        """Add a game without photos."""
        with Session(self._engine) as session, session.begin():
            session.add(GameRow(id=game, token_hash=token_hash, settings=settings, expires=self._find_expiry()))

    def get(self, game: str) -> StoredGame:
        """Return a game as of one moment; raises ServerError `not_found`."""
        with Session(self._engine) as session:
            begin_snapshot(session)
            return _load_game(session, _get_row(session, game))

    def get_version(self, game: str) -> int:
        """Return the version of a game; raises ServerError `not_found`."""
        with Session(self._engine) as session:
            return _get_row(session, game).version

    def add_photo(
        self, game: str, client_id: str, sha256: str, key: str, size: tuple[int, int]
    ) -> tuple[GamePhoto, bool]:
        """Add a queued photo, and return it with True; one whose id the game already has is returned with False.

        A finished game goes on with a new photo. Raises ServerError `not_found`, `conflict` for another photo of a
        known id, `bad_field` for too many photos.
        """
        with Session(self._engine) as session, session.begin():
            self._change(session, game)  # locks the game
            known = session.scalars(_select_photos(game).where(GamePhotoRow.client_id == client_id))
            if photo := find_sent_photo(map(_copy_photo, known), client_id, sha256):
                return photo, False
            number = (session.scalar(select(func.max(GamePhotoRow.number)).where(GamePhotoRow.game == game)) or 0) + 1
            if number > MAX_PHOTOS:
                raise build_field_error("photo", f"a game has at most {MAX_PHOTOS} photos")
            width, height = size
            row = GamePhotoRow(game=game, number=number, client_id=client_id, sha256=sha256, key=key, status="queued")
            row.width, row.height = width, height
            session.add(row)
            session.execute(update(GameRow).where(GameRow.id == game).values(finished=None))
            session.flush()
            return _copy_photo(row), True

    def end_photo(self, game: str, number: int, status: PhotoStatus, error: dict[str, Any] | None = None) -> None:
        """Record that a photo was read, or why it could not be; without effect on a deleted game."""
        changed = update(GamePhotoRow).where(GamePhotoRow.game == game, GamePhotoRow.number == number)
        with Session(self._engine) as session, session.begin():
            session.execute(changed.values(status=status, error=error))
            self._change(session, game, is_wanted=False, inputs=GameRow.inputs + 1)

    def add_correction(self, game: StoredGame, correction: dict[str, Any], who: str, log: Log | None) -> None:
        """Add a correction, from which a log follows; raises ServerError `not_found`, `bad_field` for too many."""
        if len(game.corrections) >= MAX_CORRECTIONS:
            raise build_field_error("corrections", f"a game has at most {MAX_CORRECTIONS}")
        with Session(self._engine) as session, session.begin():
            self._change(session, game.id, inputs=GameRow.inputs + 1)
            session.add(GameCorrectionRow(game=game.id, correction=correction, who=who))
            _keep_log(session, game.id, game.inputs + 1, log)

    def remove_correction(self, game: StoredGame, correction: int, log: Log | None) -> None:
        """Remove a correction, from which a log follows; raises ServerError `not_found`."""
        row = delete(GameCorrectionRow).where(GameCorrectionRow.game == game.id, GameCorrectionRow.id == correction)
        with Session(self._engine) as session, session.begin():
            self._change(session, game.id, inputs=GameRow.inputs + 1)
            if session.connection().execute(row).rowcount != 1:
                raise ServerError("not_found")
            _keep_log(session, game.id, game.inputs + 1, log)

    def finish(self, game: str, is_finished: bool) -> None:
        """Record that a game is finished, or goes on; raises ServerError `not_found`."""
        with Session(self._engine) as session, session.begin():
            self._change(session, game, finished=get_seconds() if is_finished else None)

    def keep_log(self, game: StoredGame, log: Log) -> None:
        """Keep the log that follows from a game, unless a newer one is kept or the game was deleted."""
        with Session(self._engine) as session, session.begin():
            if _keep_log(session, game.id, game.inputs, log):
                self._change(session, game.id, is_wanted=False)

    def delete(self, game: str) -> None:
        """Delete a game and all its data except its photos' files."""
        with Session(self._engine) as session, session.begin():
            session.execute(delete(GameRow).where(GameRow.id == game))

    def list_ids(self) -> set[str]:
        """Return the ids of all games."""
        with Session(self._engine) as session:
            return set(session.scalars(select(GameRow.id)))

    def list_unfinished(self) -> list[str]:
        """Return the ids of the games that are not up to date."""
        waiting = select(GamePhotoRow.game).where(GamePhotoRow.status == "queued")
        behind = GameRow.documented < GameRow.inputs
        with Session(self._engine) as session:
            query = select(GameRow.id).where(behind | GameRow.id.in_(waiting)).order_by(GameRow.created)
            return list(session.scalars(query))

    def list_expired(self) -> list[StoredGame]:
        """Return the expired games."""
        with Session(self._engine) as session:
            rows = session.scalars(select(GameRow).where(GameRow.expires <= time.time()))
            return [_load_game(session, row) for row in rows]

    def _find_expiry(self) -> int:
        return get_seconds() + int(self._keep_seconds())

    def _change(self, session: Session, game: str, is_wanted: bool = True, **values: Any) -> None:
        """Count a change of a game; raises ServerError `not_found` for one that `is_wanted` and not there."""
        change = update(GameRow).where(GameRow.id == game, GameRow.expires > time.time())
        values |= {"version": GameRow.version + 1, "expires": self._find_expiry()}
        changed = session.connection().execute(change.values(**values)).rowcount == 1
        if is_wanted and not changed:
            raise ServerError("not_found")


def find_sent_photo(photos: Iterable[GamePhoto], client_id: str, sha256: str) -> GamePhoto | None:
    """Return the photo of a client's id; raises ServerError `conflict` if another file was sent under it."""
    known = next((photo for photo in photos if photo.client_id == client_id), None)
    if known is not None and known.sha256 != sha256:
        details = {"client_id": client_id, "photo": known.number}
        raise ServerError("conflict", "The game has another photo of that client_id.", details)
    return known


def _get_row(session: Session, game: str) -> GameRow:
    """Return the row of an unexpired game; an id with NUL, which PostgreSQL's texts cannot hold, is not found."""
    row = None if "\0" in game else session.get(GameRow, game)
    if row is None or row.expires <= time.time():
        raise ServerError("not_found")
    return row


def _keep_log(session: Session, game: str, inputs: int, log: Log | None) -> bool:
    """Keep the log that follows from so many inputs, unless a newer one is kept; return whether it was kept."""
    if log is None:
        return False
    change = update(GameRow).where(GameRow.id == game, GameRow.documented < inputs)
    values = {"document": log.document, "problem": log.problem, "documented": inputs}
    return session.connection().execute(change.values(**values)).rowcount == 1


def _select_photos(game: str) -> Select[GamePhotoRow]:
    return select(GamePhotoRow).where(GamePhotoRow.game == game).order_by(GamePhotoRow.number)


def _copy_photo(row: GamePhotoRow) -> GamePhoto:
    return GamePhoto(**{field.name: getattr(row, field.name) for field in fields(GamePhoto)})


def _load_game(session: Session, row: GameRow) -> StoredGame:
    photos = session.scalars(_select_photos(row.id))
    rows = select(GameCorrectionRow).where(GameCorrectionRow.game == row.id).order_by(GameCorrectionRow.id)
    corrections = [GameCorrection(one.id, one.correction, one.who, one.made) for one in session.scalars(rows)]
    copied = {name: getattr(row, name) for name in _GAME_COLUMNS}
    return StoredGame(photos=tuple(map(_copy_photo, photos)), corrections=tuple(corrections), **copied)
