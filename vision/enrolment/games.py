"""A person's enrolment of a game with printed boards: pictures of its empty boards, and the components file.

Each game has a folder in `games` in the user's data folder, with `components.toml` as the person wrote it
(`scoring.spots.components`; it also has the places of things on the pictures), and a PNG of each board alone, seen from
straight above. `pieces` has the looks of enrolled pieces: `NAME-1.png` and so on, cut out by their transparency.

Each change of a game first keeps its files as they were (`vision.enrolment.steps`); `take_back` goes back one step.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import cv2
import numpy as np
from filelock import FileLock

from vision.arrays import Image
from vision.enrolment.durable import write_durably
from vision.enrolment.steps import Steps
from vision.enrolment.store import LOCK_SECONDS, NAME, check_name, resolve_data_folder
from vision.errors import EnrolmentError

COMPONENTS = "components.toml"
PIECES = "pieces"
MAX_LOOKS = 6
"""Maximum number of looks kept of a piece: the last ones enrolled. Bounds memory."""
MAX_LOOK_PX = 2000
"""Maximum longer side of a look. Bounds memory."""


@dataclass(frozen=True, slots=True, eq=False)
class GameEnrolment:
    """The enrolment of a game: `components` is TOML, `pictures` are (h, w, 3) uint8 BGR by name.

    `pieces` are (h, w, 4) uint8 BGR with the visible part of a piece (255, else 0), several of each, by the pieces'
    names.
    """

    game: str
    components: str = ""
    pictures: Mapping[str, Image] = field(default_factory=dict)
    pieces: Mapping[str, tuple[Image, ...]] = field(default_factory=dict)


class GameEnrolments:
    """The games in a folder, which need not exist. Raises EnrolmentError for files that cannot be read or written."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or resolve_data_folder() / "games"
        self._steps = Steps(self.folder, self._folder, lambda game: self._folder(game).rglob("*"))
        self._lock = FileLock(self.folder.with_name(f"{self.folder.name}.lock"), timeout=LOCK_SECONDS)

    def games(self) -> list[str]:
        """Return the names of the enrolled games, in alphabetical order."""
        return sorted(
            folder.name for folder in self.folder.glob("*") if folder.is_dir() and NAME.fullmatch(folder.name)
        )

    def load(self, game: str) -> GameEnrolment:
        """Load the enrolment of a game; an empty one if there is none. Raises `bad_enrolment`."""
        folder = self._folder(game)
        text = self.components(game)
        try:
            pictures = {file.stem: _read_picture(file) for file in sorted(folder.glob("*.png"))}
            pieces = {
                name: tuple(decode_look(file.read_bytes()) for file in files)
                for name, files in self._pieces(game).items()
            }
        except (OSError, ValueError) as error:
            raise EnrolmentError("bad_enrolment", details={"name": game, "file": str(folder)}) from error
        return GameEnrolment(game, text, pictures, pieces)

    def components(self, game: str) -> str:
        """Read the components file of a game, as TOML; empty if there is none. Raises `bad_enrolment`."""
        file = self._folder(game) / COMPONENTS
        try:
            return file.read_text(encoding="utf-8") if file.exists() else ""
        except (OSError, ValueError) as error:
            raise EnrolmentError("bad_enrolment", details={"name": game, "file": str(file)}) from error

    def picture_names(self, game: str) -> tuple[str, ...]:
        """Return the names of the pictures of a game, in alphabetical order."""
        return tuple(sorted(file.stem for file in self._folder(game).glob("*.png")))

    def load_picture(self, game: str, name: str) -> Image | None:
        """Load one picture of an empty board, (h, w, 3) BGR; None if it is not enrolled. Raises `bad_enrolment`."""
        if name not in self.picture_names(game):
            return None
        file = self._folder(game) / f"{name}.png"
        try:
            return _read_picture(file)
        except (OSError, ValueError) as error:
            raise EnrolmentError("bad_enrolment", details={"name": game, "file": str(file)}) from error

    def state(self, game: str) -> tuple[tuple[str, int, int], ...]:
        """Return the files of a game with their sizes and times: unchanged as long as nothing is enrolled again."""
        files = sorted(file for file in self._folder(game).rglob("*") if file.suffix in (".png", ".toml"))
        return tuple((file.name, file.stat().st_size, file.stat().st_mtime_ns) for file in files)

    def save(self, enrolment: GameEnrolment) -> Path:
        """Write an enrolment over that of the same game, each file whole; return its folder.

        Raises `bad_name`, `cannot_write_enrolment`.
        """
        folder = self._folder(enrolment.game)
        with self._change(enrolment.game), _write_in(folder):
            for name, picture in enrolment.pictures.items():
                check_name(name)
                _write_png(folder / f"{name}.png", picture)
            for name, looks in enrolment.pieces.items():
                self._write_looks(folder / PIECES, name, looks)
            write_durably(folder / COMPONENTS, enrolment.components.encode())
        return folder

    def _write_looks(self, folder: Path, name: str, looks: Sequence[Image]) -> None:
        """Replace the looks of a piece."""
        check_name(name)
        folder.mkdir(exist_ok=True)
        files = [folder / f"{name}-{number}.png" for number in range(1, len(looks) + 1)]
        for file, look in zip(files, looks, strict=True):
            _write_png(file, look)
        for file in folder.glob(f"{name}-*.png"):
            if file not in files and file.stem.rpartition("-")[0] == name:
                file.unlink(missing_ok=True)

    def add_pieces(self, game: str, pieces: Mapping[str, Sequence[Image]]) -> None:
        """Add looks of pieces; raises `bad_name`, `cannot_write_enrolment`."""
        folder = self._folder(game) / PIECES
        with self._change(game), _write_in(folder):
            piece_files = self._pieces(game)
            for name, looks in pieces.items():
                check_name(name)
                files = [*piece_files.get(name, ())]
                for look in looks:
                    files.append(folder / f"{name}-{_get_look_number(files[-1]) + 1 if files else 1}.png")
                    _write_png(files[-1], look)
                for file in files[:-MAX_LOOKS]:
                    file.unlink(missing_ok=True)

    def forget_piece(self, game: str, name: str) -> None:
        """Delete the looks of a piece; raises `no_such_enrolment`, `cannot_write_enrolment`."""
        piece_files = self._pieces(game)
        if name not in piece_files:
            raise EnrolmentError("no_such_enrolment", details={"name": name, "known": list(piece_files)})
        with self._change(game), _write_in(self._folder(game) / PIECES):
            for file in piece_files[name]:
                file.unlink(missing_ok=True)

    def forget(self, game: str) -> None:
        """Delete the enrolment of a game; raises `no_such_enrolment`, `cannot_write_enrolment`."""
        folder = self._folder(game)
        if not folder.is_dir():
            raise EnrolmentError("no_such_enrolment", details={"name": game, "known": self.games()})
        with self._change(game):
            shutil.rmtree(folder)

    def count_steps(self, game: str) -> int:
        """Count the steps by which the enrolment of a game can be taken back."""
        return self._steps.count(game)

    def take_back(self, game: str) -> None:
        """Restore the enrolment of a game before its last change; raises `nothing_to_take_back`,
        `cannot_write_enrolment`."""
        with self._write_alone():
            self._steps.take_back(game)

    @contextmanager
    def _change(self, game: str) -> Iterator[None]:
        """Keep the folder of a game as it is before a change."""
        with self._write_alone(), self._steps.keep(game):
            yield

    @contextmanager
    def _write_alone(self) -> Iterator[None]:
        """Keep all other threads and processes from writing there meanwhile; raises `cannot_write_enrolment`."""
        with _write_in(self.folder.parent), self._lock:
            yield

    def _pieces(self, game: str) -> dict[str, list[Path]]:
        """Return the files of each piece, the oldest first."""
        piece_files: dict[str, list[Path]] = {}
        for file in sorted((self._folder(game) / PIECES).glob("*-*.png")):
            name, _, number = file.stem.rpartition("-")
            if number.isdigit():
                piece_files.setdefault(name, []).append(file)
        return {name: sorted(files, key=_get_look_number) for name, files in piece_files.items()}

    def _folder(self, game: str) -> Path:
        check_name(game)
        return self.folder / game


def _read_picture(file: Path) -> Image:
    picture = cv2.imdecode(np.frombuffer(file.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{file} is no picture")
    return np.asarray(picture, np.uint8)


def decode_look(data: bytes) -> Image:
    """Decode the (h, w, 4) look of a piece from a PNG; raises ValueError for anything else."""
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_UNCHANGED)
    if picture is None or picture.ndim != 3 or picture.shape[2] != 4 or max(picture.shape[:2]) > MAX_LOOK_PX:
        raise ValueError("no picture of a piece")
    return np.asarray(picture, np.uint8)


def _get_look_number(file: Path) -> int:
    return int(file.stem.rpartition("-")[2])


@contextmanager
def _write_in(folder: Path) -> Iterator[None]:
    """Make a folder for what is written in it; raises EnrolmentError `cannot_write_enrolment` if the system refuses."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        yield
    except OSError as error:
        details = {"folder": str(folder), "reason": error.strerror}
        raise EnrolmentError("cannot_write_enrolment", details=details) from error


def _write_png(file: Path, picture: Image) -> None:
    write_durably(file, np.asarray(cv2.imencode(".png", picture)[1]).tobytes())
