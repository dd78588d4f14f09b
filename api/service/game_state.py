"""The state of a game between two photos, without their pixels: a file that is made anew if it cannot be used.

Only this very version of the program reads what it wrote: the first line names it, with a digest of all that follows.
"""

from __future__ import annotations

import io
import os
import pickle
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any

from api.batch.worker_identity import compute_identity
from api.documents.report import SetAside
from api.reading.surveys import GameInPhotos
from api.server.tokens import is_id
from scoring.carcassonne.tiles.catalogue import Catalogue
from vision.board.board import BoardTiles
from vision.enrolment.durable import write_durably
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.pieces.piece_reader import PieceReader
from vision.reader import Reader
from vision.score_track.track_reader import TrackReader
from vision.sequence.followed import Followed
from vision.survey.surveyor import Surveyor

STATE_SUFFIX, BEGUN_SUFFIX, PART_SUFFIX = ".state", ".begun", ".part"
"""Suffixes of a game's state, of the note that one of its photos is being read, and of either while it is written."""


@dataclass(frozen=True, slots=True)
class GameView:
    """A game as its photos show it: those with the `keys` were read, in this order, and some are `aside`.

    Without `followed`, `problem` is the document of the error.
    """

    keys: tuple[str, ...] = ()
    aside: tuple[SetAside, ...] = ()
    followed: Followed | None = None
    problem: dict[str, Any] | None = None


class GameStates:
    """The states of games in a folder of this machine."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, game: str) -> GameView | None:
        """Return a game as its photos show it, without any nets; None without a usable state."""
        content = self._read(game)
        return None if content is None else _load_view(io.BytesIO(content))

    def load(
        self,
        game: str,
        is_wanted: Callable[[GameView], bool],
        reader: Callable[[], Reader],
        open_photo: Callable[[str], Photo],
    ) -> tuple[GameView, GameInPhotos] | None:
        """Return a game with the series of its photos, to be continued by a reader; None without a state that is
        wanted.

        `open_photo` opens a photo by its name; only those whose pixels are needed again are opened.
        """
        content = self._read(game)
        if content is None:
            return None
        stream = io.BytesIO(content)
        view = _load_view(stream)
        if not is_wanted(view):
            return None
        series: GameInPhotos = _Unpickler(stream, reader(), open_photo).load()
        series.resume(reader)
        return view, series

    def write(self, game: str, view: GameView, series: GameInPhotos) -> None:
        """Write the state of a game, whole or not at all; raises OSError."""
        stream = io.BytesIO()
        for part in (view, series):
            _Pickler(stream, pickle.HIGHEST_PROTOCOL).dump(part)
        content = stream.getvalue()
        self._write(game, STATE_SUFFIX, _build_head(content) + content)

    def begin(self, game: str, key: str) -> int:
        """Note that work at a photo begins, and return how often it began before without an end; raises OSError."""
        path = self._build_path(game, BEGUN_SUFFIX)
        before, _, count = path.read_text("ascii").partition(" ") if path.exists() else ("", "", "0")
        attempts = int(count) if before == key and count.isdigit() else 0
        self._write(game, BEGUN_SUFFIX, f"{key} {attempts + 1}".encode("ascii"))
        return attempts

    def end(self, game: str) -> None:
        """Note that the work at a photo of a game has ended."""
        self._build_path(game, BEGUN_SUFFIX).unlink(missing_ok=True)

    def remove(self, game: str) -> None:
        """Remove all files of a game."""
        for file in self.folder.glob(f"{game}.*"):
            file.unlink(missing_ok=True)

    def list_games(self) -> set[str]:
        """Return the ids of the games with files here."""
        return {*filter(is_id, (file.name.partition(".")[0] for file in self.folder.glob("*.*")))}

    def _write(self, game: str, suffix: str, data: bytes) -> None:
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        draft = self._build_path(game, f".{os.getpid()}{PART_SUFFIX}")  # another server may write as well
        write_durably(self._build_path(game, suffix), data, draft)

    def _build_path(self, game: str, suffix: str) -> Path:
        return self.folder / f"{game}{suffix}"

    def _read(self, game: str) -> bytes | None:
        """Return the content of a state of this version, None if there is none or it is damaged."""
        try:
            head, newline, content = self._build_path(game, STATE_SUFFIX).read_bytes().partition(b"\n")
        except FileNotFoundError:
            return None
        return content if head + newline == _build_head(content) else None


def _load_view(stream: io.BytesIO) -> GameView:
    view = _Unpickler(stream).load()
    assert isinstance(view, GameView)
    return view


def _build_head(content: bytes) -> bytes:
    return f"{_name_version()} {sha256(content).hexdigest()}\n".encode("ascii")


@cache
def _name_version() -> str:
    """Return a digest of the program, its weights and libraries."""
    identity = sorted(compute_identity().items())
    return sha256(repr(identity).encode()).hexdigest()


class _Pickler(pickle.Pickler):
    """Pickler that leaves out pixels and nets, which are put back when the state is loaded."""

    def persistent_id(self, value: Any) -> tuple[Any, ...] | None:
        """Return the name of a value that is left out, None for any other."""
        if isinstance(value, Photo):
            halves = value.halves
            return "photo", value.file, value.sha256, value.decode_ms, halves.size, halves.has_pixels
        if isinstance(value, BoardTiles):
            return "board_tiles", dict(value.stated)
        return next(((name,) for name, kind in _OF_READER.items() if isinstance(value, kind)), None)

    def reducer_override(self, value: Any) -> Any:
        """Return how a frozen mapping is made, which pickle does not know."""
        return (_freeze, (dict(value),)) if isinstance(value, MappingProxyType) else NotImplemented


_OF_READER = {
    "piece_reader": PieceReader,
    "track_reader": TrackReader,
    "surveyor": Surveyor,
    "catalogue": Catalogue,
}


def _freeze(values: dict[Any, Any]) -> Mapping[Any, Any]:
    return MappingProxyType(values)


class _Unpickler(pickle.Unpickler):
    """Unpickler of a state, which puts the nets and pixels of a reader back; without one, no photo has pixels."""

    def __init__(
        self, stream: io.BytesIO, reader: Reader | None = None, open_photo: Callable[[str], Photo] | None = None
    ) -> None:
        super().__init__(stream)
        self._reader, self._open_photo = reader, open_photo

    def persistent_load(self, name: tuple[Any, ...]) -> Any:
        """Return the value that was left out under a name."""
        kind, *details = name
        if kind == "photo":
            file, sha256_hex, decode_ms, size, has_pixels = details
            if has_pixels and self._open_photo is not None:
                return self._open_photo(file)
            return Photo(Halves.blank(size), file, sha256_hex, decode_ms)
        assert self._reader is not None
        if kind == "board_tiles":
            return self._reader.board_tiles.state(*details)
        return self._reader.board_tiles.catalogue if kind == "catalogue" else getattr(self._reader, kind)
