"""Drawing of a game's tile shapes, square by square; they are kept in its components file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import tomlkit
from tomlkit.items import Table

from api.spots.registry import SpotGame, find_spot_game
from scoring.connected_squares import group_connected_squares
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo
from vision.showing.board_drafts import MAX_SIDE, DrawnShape, ShapeDraft, ShapeDrafts, shrink_photo

Squares = frozenset[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class ShapeDrawing:
    """Drawing of tile shapes: the drafts, and the store of finished shapes."""

    drafts: ShapeDrafts
    enrolments: GameEnrolments

    def load(self, game: str) -> ShapeDraft:
        """Load the draft, or else the shapes that are kept; raises EnrolmentError."""
        draft = self.drafts.load(game)
        return (
            ShapeDraft(shapes=tuple(DrawnShape(shape=shape) for shape in self.list_kept(game)))
            if draft is None
            else draft
        )

    def list_kept(self, game: str) -> list[str]:
        """List the shapes in the game's components file, without empty rows and columns around them.

        Raises ComponentsError `components_invalid`.
        """
        spot_game, text = find_spot_game(game), self.enrolments.components(game)
        spot_game.rules.components(text or None)
        return [format_squares(parse_squares(str(table["shape"]))) for table in _find_tables(spot_game, text)]

    def is_begun(self, game: str) -> bool:
        """Return whether a draft exists."""
        return self.drafts.exists(game)

    def change(self, game: str, shapes: Sequence[DrawnShape]) -> ShapeDraft:
        """Save the shapes drawn so far; raises EnrolmentError `shape_too_large`."""
        for number, drawn in enumerate(shapes, 1):
            _check_size(drawn.shape, number)
        draft = self.load(game).model_copy(update={"shapes": tuple(shapes)})
        self.drafts.save(game, draft)
        return draft

    def take_photo(self, game: str, photo: Photo) -> ShapeDraft:
        """Keep a photo of the tiles with the draft; the shapes' places in an earlier photo are dropped."""
        pixels = shrink_photo(photo.pixels)
        before = self.load(game)
        shapes = tuple(drawn.model_copy(update={"at": None}) for drawn in before.shapes)
        draft = ShapeDraft(shapes=shapes, photo_size=(pixels.shape[1], pixels.shape[0]))
        self.drafts.save(game, draft, photo=pixels)
        return draft

    def keep(self, game: str) -> list[str]:
        """Write the drawn shapes to the components file and delete the draft; an empty draft removes all shapes.

        The number of tiles of a shape known before stays. Raises EnrolmentError `shape_empty`, `shape_not_connected`,
        `shape_too_large`, `shape_twice` with the shape's number, ComponentsError.
        """
        spot_game, text = find_spot_game(game), self.enrolments.components(game)
        shapes = check_shapes([drawn.shape for drawn in self.load(game).shapes])
        changed = write_shapes(spot_game, text, shapes)
        spot_game.rules.components(changed or None)
        self.enrolments.save(GameEnrolment(game, changed))
        self.drafts.forget(game)
        return shapes


def check_shapes(texts: Sequence[str]) -> list[str]:
    """Check drawn shapes, and return them without empty rows and columns around them.

    Raises EnrolmentError `shape_empty`, `shape_not_connected`, `shape_too_large`, `shape_twice`.
    """
    numbers: dict[Squares, int] = {}
    shapes = []
    for number, text in enumerate(texts, 1):
        squares = parse_squares(text)
        if not squares:
            raise EnrolmentError("shape_empty", details={"number": number})
        shape = format_squares(squares)
        _check_size(shape, number)
        if len(group_connected_squares(squares)) > 1:
            raise EnrolmentError("shape_not_connected", details={"number": number, "shape": shape})
        turned = _turn_to_least(squares)
        if turned in numbers:
            raise EnrolmentError("shape_twice", details={"number": number, "shape": shape, "like": numbers[turned]})
        numbers[turned] = number
        shapes.append(shape)
    return shapes


def parse_squares(text: str) -> Squares:
    """Return the squares (row, column) of a shape's text."""
    return frozenset((r, c) for r, line in enumerate(text.split("/")) for c, letter in enumerate(line) if letter == "#")


def format_squares(squares: Squares) -> str:
    """Return the text of at least one square, cropped to the squares."""
    rows, cols = ({square[axis] for square in squares} for axis in (0, 1))
    return "/".join(
        "".join("#" if (row, col) in squares else "." for col in range(min(cols), max(cols) + 1))
        for row in range(min(rows), max(rows) + 1)
    )


def write_shapes(game: SpotGame, text: str, shapes: Sequence[str]) -> str:
    """Write shapes into a components file; other values of a shape that it already has stay, whichever way it is
    turned.
    """
    document = tomlkit.parse(text)
    known = {_turn_to_least(parse_squares(str(table["shape"]))): table for table in _find_tables(game, text)}
    table_name, key = game.shapes_key.split(".")
    parent: Any = document.get(table_name)
    if not isinstance(parent, Table):  # an inline table, or one in several places
        document.pop(table_name, None)
        parent = document[table_name] = tomlkit.table()
    parent.pop(key, None)
    if shapes:
        tables = tomlkit.aot()
        for shape in shapes:
            table = tomlkit.table()
            table.update({**known.get(_turn_to_least(parse_squares(shape)), {}), "shape": shape})
            tables.append(table)
        parent.append(key, tables)
    elif not parent:
        document.pop(table_name)
    return tomlkit.dumps(document)


def _find_tables(game: SpotGame, text: str) -> Sequence[Mapping[str, Any]]:
    """Return the components file's table of each shape."""
    table_name, key = game.shapes_key.split(".")
    found = tomlkit.parse(text).unwrap().get(table_name, {}).get(key) or []
    return [table for table in found if isinstance(table, Mapping) and "shape" in table]


def _check_size(text: str, number: int) -> None:
    if max(text.count("/") + 1, *map(len, text.split("/"))) > MAX_SIDE:
        raise EnrolmentError("shape_too_large", details={"number": number, "shape": text, "most": MAX_SIDE})


def _turn_to_least(squares: Squares) -> Squares:
    """Return the canonical one of a shape's four rotations."""
    turns = [squares]
    for _ in range(3):
        turns.append(frozenset((col, -row) for row, col in turns[-1]))
    moved = [sorted((r - min(r for r, _ in turn), c - min(c for _, c in turn)) for r, c in turn) for turn in turns]
    return frozenset(min(moved, default=[]))
