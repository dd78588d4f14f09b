"""Step-by-step enrolment of a board, as on the page, and `wondertally enrol board` with a file of boards."""

from __future__ import annotations

import io
import json
import re
import zipfile
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
import tomlkit
from pydantic import ValidationError
from tomlkit.items import Table

from api.spots.registry import SpotGame, find_spot_game
from scoring.errors import ScoringError
from scoring.spots.components import ComponentsError, FactValue
from vision.arrays import Floats, Image
from vision.enrolment.games import COMPONENTS, MAX_LOOKS, PIECES, GameEnrolment, GameEnrolments, decode_look
from vision.enrolment.store import NAME
from vision.errors import EnrolmentError
from vision.flat_boards.board import is_valid_quad, rectify_picture
from vision.flat_boards.layout import PixelPoint
from vision.photo.decoding import Photo
from vision.showing.board_drafts import BoardDrafts
from vision.showing.draft import (
    AligningForm,
    BoardDraft,
    BoardForm,
    NumberedForm,
    Quad,
    find_dragged_mark,
    has_straight_picture,
    is_storable,
    list_missing_marks,
    list_missing_values,
)

CARD = "card"
"""Name of the mark for the bank card beside the board; it lies in the photo, not in the straightened board."""
FORMAT = 1
"""Version of the format of board files."""
MANIFEST, PICTURE_ENDING = "wondertally.json", ".png"
MAX_FILE_BYTES, MAX_UNPACKED_BYTES = 64 * 2**20, 128 * 2**20
"""Maximum size of a board file, packed and unpacked. Bounds memory."""
MAX_PICTURE_PX = 4000
"""Maximum side of a board's picture in pixels. Bounds memory."""
PIECE_FILE = re.compile(rf"{PIECES}/([a-z]+(?:-[a-z]+)*)-[1-9]{re.escape(PICTURE_ENDING)}")


@dataclass(frozen=True, slots=True)
class BoardShowing:
    """Enrolment of boards: the drafts, and the store of finished enrolments."""

    drafts: BoardDrafts
    enrolments: GameEnrolments

    def begin(self, game: str, picture: str, photo: Photo) -> BoardDraft:
        """Begin a draft from a photo of an empty board; raises EnrolmentError `no_such_picture`, and as the stores do.

        Marks of an earlier photo are dropped; numbers stay, since they are printed on the board.
        """
        from vision.showing.steps import begin_draft

        find_form(game, picture)
        draft, pixels = begin_draft(photo)
        with suppress(EnrolmentError):  # no earlier draft, or a damaged one
            draft = draft.model_copy(update={"values": self.drafts.load(game, picture).values})
        self.drafts.forget(game, picture)
        self.drafts.save(game, picture, draft, photo=pixels)
        return draft

    def change(self, game: str, picture: str, changes: Mapping[str, Any]) -> BoardDraft:
        """Change some fields of a draft.

        Raises EnrolmentError `no_such_picture`, `no_such_enrolment`, `bad_corners` if the corners are invalid or put
        marks outside the board, `size_not_told` if the card is invalid, `no_such_mark`, `no_such_value`; then nothing
        changes.

        Corners of the board or the card that are set for the first time snap to the lines in the photo. Corners that
        come with marks undo a step and stay as they are.
        """
        from vision.showing.steps import change_draft, refine_board, refine_card

        form, before = find_form(game, picture), self.drafts.load(game, picture)
        _check_names(form, before, changes)
        changed = {name: value for name, value in changes.items() if getattr(before, name) != value}
        straight: Image | None = None
        if changed.keys() & {"corners_px", "card_px", "told_size_mm"}:
            photo = self.drafts.load_pixels(game, picture)
            _check_corners(picture, changed.get("corners_px"), before.photo_size)
            if changed.get("card_px") is not None:
                changed["card_px"] = _order_card(changed["card_px"], before.photo_size)
            for name in ("corners_px", "card_px"):
                if "marks" not in changes and changed.get(name) is not None and getattr(before, name) is None:
                    board = changed.get("corners_px", before.corners_px)
                    is_card = name == "card_px"
                    quad = changed[name]
                    moved = refine_card(photo, quad, board) if is_card else refine_board(photo, quad)
                    changed[name] = moved if is_valid_quad(np.array(moved), before.photo_size) else quad
            try:
                draft, straight = change_draft(photo, before, before.model_copy(update=changed), "marks" not in changes)
            except EnrolmentError as error:
                if "card_px" in changed:
                    raise
                raise EnrolmentError("bad_corners", details={"picture": picture}) from error
            if straight is not None and "marks" not in changes:
                draft = draft.model_copy(update={"marks": {**form.propose(straight, draft), **draft.marks}})
            if not is_storable(draft):
                raise EnrolmentError("bad_corners", details={"picture": picture})
        else:
            draft = before.model_copy(update=changed)
            if (mark := find_dragged_mark(before, draft)) is not None:
                dragged = draft.marks[mark].model_copy(update={"at": None})
                draft = draft.model_copy(update={"marks": {**draft.marks, mark: dragged}})
                draft = self._align(form, draft, game, picture, mark)
        self.drafts.save(game, picture, draft, straight=straight)
        return draft

    def _align(self, form: BoardForm, draft: BoardDraft, game: str, picture: str, name: str) -> BoardDraft:
        """Return the draft with all marks of the same print aligned to one of them, if all are found in the picture."""
        if not isinstance(form, AligningForm) or not has_straight_picture(draft):
            return draft
        straight = self.drafts.load_pixels(game, picture, straight=True)
        aligned = draft.model_copy(update={"marks": form.align(draft, name, straight)})
        return aligned if is_storable(aligned) else draft

    def point(self, game: str, picture: str, mark: str, at: PixelPoint) -> BoardDraft:
        """Place a mark, or find the card, at the point where a person pointed.

        Nothing changes if no card is seen there, or if a path already has all its spaces. Raises EnrolmentError
        `no_such_mark`, `bad_corners` while the board is not straightened, and as `change`.
        """
        from vision.showing.bank_card import find_card

        form, draft = find_form(game, picture), self.drafts.load(game, picture)
        if mark == CARD:
            card = find_card(self.drafts.load_pixels(game, picture), at)
            return draft if card is None else self.change(game, picture, {"card_px": _to_quad(card)})
        if mark not in {known.name for known in form.marks}:
            raise EnrolmentError("no_such_mark", details={"name": mark})
        if not has_straight_picture(draft):
            raise EnrolmentError("bad_corners", details={"picture": picture})
        try:
            straight = self.drafts.load_pixels(game, picture, straight=True)
            placed = draft.model_copy(update={"marks": form.place(draft, mark, at, straight)})
        except ValidationError:
            return draft
        if not is_storable(placed):
            return draft
        placed = self._align(form, placed, game, picture, mark)
        self.drafts.save(game, picture, placed)
        return placed

    def guess_values(self, game: str, picture: str) -> dict[str, int]:
        """Read the numbers that a board prints in its picture, for a person to check; those already typed are left out.

        Raises EnrolmentError `no_such_picture`, `no_such_enrolment`.
        """
        form, draft = find_form(game, picture), self.drafts.load(game, picture)
        if not isinstance(form, NumberedForm) or not has_straight_picture(draft):
            return {}
        guesses = form.guess_values(draft, self.drafts.load_pixels(game, picture, straight=True))
        return {key: value for key, value in guesses.items() if key not in draft.values}

    def keep(self, game: str, picture: str) -> GameEnrolment:
        """Keep a complete board and delete its draft.

        Raises EnrolmentError `board_incomplete` with all missing parts, ComponentsError `components_invalid`.
        """
        form, draft = find_form(game, picture), self.drafts.load(game, picture)
        missing = list_missing(form, draft)
        if missing:
            raise EnrolmentError("board_incomplete", details={"missing": missing})
        previous = self.enrolments.load(game)
        text = merge_components(previous.components, form.build_components(draft))
        assert draft.corners_px is not None
        assert draft.size_mm is not None
        pixels = rectify_picture(self.drafts.load_pixels(game, picture), draft.corners_px, draft.size_mm)
        enrolment = GameEnrolment(game, text, {**previous.pictures, picture: pixels})
        _check(find_spot_game(game), enrolment)
        self.enrolments.save(enrolment)
        self.drafts.forget(game, picture)
        return enrolment

    def take_file(self, game: str, sent: GameEnrolment) -> GameEnrolment:
        """Keep the boards of a file beside those of the game; its values are added to those in force.

        Raises EnrolmentError, ComponentsError `components_invalid`.
        """
        previous = self.enrolments.load(game)
        text = add_components(find_spot_game(game), previous.components, sent.components)
        enrolment = GameEnrolment(game, text, {**previous.pictures, **sent.pictures}, sent.pieces)
        _check(find_spot_game(game), enrolment)
        self.enrolments.save(enrolment)
        return enrolment

    def set_facts(self, game: str, values: Mapping[str, FactValue]) -> None:
        """Keep typed values, by their keys in the components file; None removes a value.

        Raises InputError `unsupported_game`, EnrolmentError, ComponentsError `components_invalid`.
        """
        spot_game, text = find_spot_game(game), self.enrolments.components(game)
        known = {fact.key for fact in spot_game.list_facts(spot_game.rules.components(text or None))}
        if strangers := sorted(values.keys() - known):
            raise ComponentsError("components_invalid", f"{strangers[0]} is nothing to type.", key=strangers[0])
        changed = write_facts(text, values)
        spot_game.rules.components(changed)
        self.enrolments.save(GameEnrolment(game, changed))


def _check_names(form: BoardForm, draft: BoardDraft, changes: Mapping[str, Any]) -> None:
    """Raise EnrolmentError `no_such_mark`, `no_such_value` for names that neither the board nor the draft has."""
    marks = {mark.name for mark in form.marks} | draft.marks.keys()
    values = {value.key for value in form.list_values(draft)} | draft.values.keys()
    for code, names, known in (
        ("no_such_mark", changes.get("marks", ()), marks),
        ("no_such_value", changes.get("values", ()), values),
    ):
        if unknown := sorted(set(names) - known):
            raise EnrolmentError(code, details={"name": unknown[0], "names": unknown})


def _check_corners(picture: str, corners: Quad | None, photo_size: tuple[int, int]) -> None:
    """Raise EnrolmentError `bad_corners` unless these are four corners in the photo."""
    if corners is not None and not is_valid_quad(np.array(corners), photo_size):
        raise EnrolmentError("bad_corners", details={"picture": picture, "corners": np.array(corners).tolist()})


def _order_card(corners: Quad, photo_size: tuple[int, int]) -> Quad:
    """Return a card's corners in order around it, beginning with the first one given.

    Raises EnrolmentError `size_not_told` unless these are four corners in the photo.
    """
    quad = np.array(corners)
    off = quad - quad.mean(axis=0)
    around = np.argsort(np.arctan2(off[:, 1], off[:, 0]), kind="stable")
    ordered = quad[np.roll(around, -int(np.flatnonzero(around == 0)[0]))]
    if not is_valid_quad(ordered, photo_size):
        raise EnrolmentError("size_not_told", details={"size_mm": None})
    return _to_quad(ordered)


def _to_quad(corners: Floats) -> Quad:
    first, second, third, fourth = ((float(x), float(y)) for x, y in corners)
    return first, second, third, fourth


def find_form(game: str, picture: str) -> BoardForm:
    """Find the form for one of a game's pictures; raises InputError `unsupported_game`, EnrolmentError
    `no_such_picture`.
    """
    forms = find_spot_game(game).load_forms()
    if picture not in forms:
        raise EnrolmentError("no_such_picture", details={"name": picture, "known": list(forms)})
    return forms[picture]


def list_missing(form: BoardForm, draft: BoardDraft) -> list[str]:
    """List the names of a board's missing parts: corners, size, marks and numbers."""
    corners = [] if draft.corners_px is not None else ["corners"]
    size = [] if draft.size_mm is not None else ["size"]
    return [*corners, *size, *list_missing_marks(form, draft), *list_missing_values(form, draft)]


def add_components(game: SpotGame, text: str, added: str) -> str:
    """Add the values of a components file to those of another; all others of it stay.

    Raises ComponentsError `components_invalid` for a file that is invalid by itself.
    """
    game.rules.components(added or None)
    return merge_components(text, tomlkit.parse(added).unwrap()) if text else added


def merge_components(text: str, components: Mapping[str, Any]) -> str:
    """Merge a board's values into a components file; everything else in it stays, including comments."""
    document = tomlkit.parse(text)
    _merge_into(document, components)
    return tomlkit.dumps(document)


def _merge_into(table: Any, components: Mapping[str, Any]) -> None:
    for key, value in components.items():
        if isinstance(value, Mapping) and not {"at", "points"} & value.keys():
            if not isinstance(table.get(key), Table):
                table[key] = tomlkit.table()
            _merge_into(table[key], value)
        else:
            table[key] = value


def write_facts(text: str, values: Mapping[str, FactValue]) -> str:
    """Write values into a components file by their dotted keys; None removes a value."""
    document = tomlkit.parse(text)
    for key, value in values.items():
        *tables, last = key.split(".")
        table: Any = document
        for part in tables:
            if not isinstance(table.get(part), Table):
                table[part] = tomlkit.table()
            table = table[part]
        if value is None:
            table.pop(last, None)
        else:
            table[last] = value
    return tomlkit.dumps(document)


def pack_board_file(enrolment: GameEnrolment) -> bytes:
    """Pack a game's boards into a file for other owners of the same edition."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(MANIFEST, json.dumps({"format": FORMAT, "game": enrolment.game}))
        archive.writestr(COMPONENTS, enrolment.components)
        for name, pixels in enrolment.pictures.items():
            archive.writestr(f"{name}{PICTURE_ENDING}", _encode_picture(pixels))
        for name, looks in enrolment.pieces.items():
            for number, look in enumerate(looks, 1):
                archive.writestr(f"{PIECES}/{name}-{number}{PICTURE_ENDING}", _encode_picture(look))
    return packed.getvalue()


def unpack_board_file(data: bytes) -> GameEnrolment:
    """Unpack a game's boards; raises EnrolmentError `board_file_invalid`, ComponentsError, InputError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            if sum(entry.file_size for entry in archive.infolist()) > MAX_UNPACKED_BYTES:
                raise ValueError("too large")
            manifest = json.loads(archive.read(MANIFEST))
            if manifest["format"] != FORMAT:
                raise ValueError("another version")
            pictures = {
                name: _decode_picture(archive.read(f"{name}{PICTURE_ENDING}"))
                for name in (entry.removesuffix(PICTURE_ENDING) for entry in archive.namelist())
                if NAME.fullmatch(name)
            }
            pieces = _read_pieces(archive)
            game, text = str(manifest["game"]), archive.read(COMPONENTS).decode()
    except (zipfile.BadZipFile, KeyError, TypeError, ValueError, NotImplementedError, RuntimeError, OSError) as error:
        raise EnrolmentError("board_file_invalid", details={"reason": str(error).strip("'\"")}) from error
    if not pictures:
        raise EnrolmentError("board_file_invalid", details={"reason": "it holds no picture of a board"})
    enrolment = GameEnrolment(game, text, pictures, pieces)
    _check(find_spot_game(game), enrolment)
    return enrolment


def _read_pieces(archive: zipfile.ZipFile) -> dict[str, tuple[Image, ...]]:
    """Read the pictures of pieces, by the pieces' names; raises ValueError for an invalid picture."""
    looks: dict[str, list[Image]] = {}
    for entry in archive.namelist():
        if (match := PIECE_FILE.fullmatch(entry)) and len(own_looks := looks.setdefault(match[1], [])) < MAX_LOOKS:
            own_looks.append(decode_look(archive.read(entry)))
    return {name: tuple(own_looks) for name, own_looks in looks.items()}


def _encode_picture(pixels: Image) -> bytes:
    return np.asarray(cv2.imencode(PICTURE_ENDING, pixels)[1]).tobytes()


def _decode_picture(data: bytes) -> Image:
    pixels = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if pixels is None or max(pixels.shape[:2]) > MAX_PICTURE_PX:
        raise ValueError("no picture of a board")
    return np.asarray(pixels, np.uint8)


def _check(game: SpotGame, enrolment: GameEnrolment) -> None:
    """Raise ComponentsError `components_invalid` for invalid values; missing ones may follow later."""
    game.rules.components(enrolment.components or None)
    try:
        game.build_reader(enrolment)
    except EnrolmentError:
        return
    except ScoringError as error:
        if error.code != "component_missing":
            raise
