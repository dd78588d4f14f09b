"""Root of all errors, each with a stable code, and the errors of scoring.

WondertallyError
├── ScoringError
│   ├── RulesetError     no such rule set, or no such rules of a box; an InputError too
│   ├── CalibrationError the calibration file is missing or damaged; an InputError too
│   ├── CatalogueError   no such layout, or an impossible wonder's file
│   ├── BoardError       an impossible board
│   ├── NotationError    a board's one-line notation cannot be read; with the position
│   ├── LabelError       a label of a photo cannot be read
│   ├── PlayError        a move that the rules do not allow; the code names the rule
│   └── RecordError      a game's record cannot be read, or does not add up; with the line
├── InputError           a request cannot be carried out; its branches are in `vision.errors` and `api.errors`
└── the errors of photos and readings (`vision.errors`), of reports and questions (`api.errors`), and of the server
    (`api.server.errors`)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class WondertallyError(Exception):
    """A failure with a code; `text` defaults to the code's usual sentence."""

    texts: ClassVar[Mapping[str, str]] = {}
    codes: ClassVar[tuple[str, ...]] = ()
    """Codes whose texts are written where they are raised."""
    advised: ClassVar[tuple[str, ...]] = ()
    """Codes of this class whose texts say what to try, so that no advice of the class is added on the page."""

    def __init__(self, code: str, text: str = "", details: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self.text = text or self.texts.get(code, code.replace("_", " "))
        self.details = dict(details or {})
        super().__init__(f"{code}: {self.text}")

    @classmethod
    def list_codes(cls) -> tuple[str, ...]:
        """List the codes of this class, without its subclasses."""
        return (*cls.texts, *cls.codes)

    def as_dict(self) -> dict[str, Any]:
        """Return the one error shape of every front door."""
        return {"error": {"code": self.code, "text": self.text, "details": self.details}}


class ScoringError(WondertallyError):
    """Invalid input to scoring; `code` is for programs, `text` for people."""

    def __init__(self, code: str, text: str, **details: Any) -> None:
        super().__init__(code, text, details)


class InputError(WondertallyError):
    """A request cannot be carried out."""

    texts: ClassVar[Mapping[str, str]] = {
        "unsupported_game": "That game is not scored here.",
        "file_not_found": "There is no such file.",
        "cannot_write": "The file cannot be written.",
        "output_twice": "Two outputs would be written to the same file: name another file for one of them.",
        "bad_usage": "The command line cannot be understood.",
        "other_game": "That does not belong to this game.",
        "report_for_photo": "This is a report, but a photo is needed: name the photos it was read from, or others of "
        "that game.",
        "game_wanted": "Say which game it is.",
        "models_missing": "The trained nets are missing.",
        "models_damaged": "A file of the trained nets is damaged: install Wondertally again.",
        "photo_ambiguous": "The folder holds several photos of that name.",
    }
    advised: ClassVar[tuple[str, ...]] = ("models_damaged", "output_twice", "report_for_photo")


class RulesetError(ScoringError, InputError):
    """Unknown rule set, rules of a box that has none of its own, or copies of an unknown box."""

    codes: ClassVar[tuple[str, ...]] = ("bad_box_rules", "bad_boxes", "unknown_rules")
    advised: ClassVar[tuple[str, ...]] = ("bad_box_rules", "bad_boxes")


class CalibrationError(ScoringError, InputError):
    """The calibration file is missing or damaged."""

    codes: ClassVar[tuple[str, ...]] = ("models_missing", "models_damaged")


class CatalogueError(ScoringError):
    """A tile missing in the catalogue, or an invalid wonder's file."""

    codes: ClassVar[tuple[str, ...]] = (
        "bad_edge",
        "bad_marker",
        "bad_monastery",
        "bad_path",
        "bad_squares",
        "bad_toml",
        "bad_value",
        "beyond_the_squares",
        "cannot_be_drawn",
        "contradicts_the_rules",
        "missing_key",
        "no_way_out",
        "on_the_border",
        "overlap",
        "unknown_box",
        "unknown_key",
        "unknown_tile",
        "unknown_wonder",
        "wonder_file_too_large",
        "wonder_twice",
    )


class NotationError(ScoringError):
    """A board's notation cannot be read; `position` is the index of the first invalid character."""

    codes: ClassVar[tuple[str, ...]] = (
        "bad_box_rules",
        "bad_boxes",
        "bad_meeple",
        "bad_notation",
        "bad_origin",
        "bad_place",
        "bad_row",
        "bad_turn",
        "colour_unknown",
        "no_such_place",
        "no_tiles",
        "unknown_letter",
    )

    def __init__(self, code: str, text: str, position: int, **details: object) -> None:
        super().__init__(code, f"{text} (at character {position})", position=position, **details)
        self.position = position


class LabelError(ScoringError):
    """A label cannot be read as a board."""

    codes: ClassVar[tuple[str, ...]] = (
        "bad_box_rules",
        "bad_boxes",
        "bad_label",
        "bad_meeple",
        "bad_place",
        "bad_table",
        "bad_token",
        "bad_value",
        "colour_unknown",
        "negative_square",
        "no_rows",
        "no_such_place",
    )


class BoardError(ScoringError):
    """An impossible board: a meeple, a garden or a square on a part that the tile does not have."""

    codes: ClassVar[tuple[str, ...]] = (
        "bad_name",
        "bad_players",
        "board_too_large",
        "no_such_part",
        "no_such_segment",
        "spot_unknown",
        "spot_value_impossible",
        "strange_spot",
        "unknown_pose",
        "unknown_tile",
        "wonder_not_there",
    )


class PlayError(ScoringError):
    """A move against the rules, or an impossible setup; the code names the broken rule."""

    codes: ClassVar[tuple[str, ...]] = (
        "bad_players",
        "bad_start",
        "edge_mismatch",
        "feature_occupied",
        "game_over",
        "kept_tile_lost",
        "must_keep_a_tile",
        "no_abbot_out",
        "no_extra_tile",
        "no_follower_there",
        "no_piece_left",
        "no_such_segment",
        "no_such_wonder",
        "not_in_stack",
        "not_on_the_tile",
        "not_your_turn",
        "nothing_to_keep",
        "one_action",
        "river_not_continued",
        "river_turns_back",
        "square_taken",
        "tile_fits",
        "too_few_wonders",
        "too_many_meeples",
        "touches_nothing",
        "unknown_box",
        "unknown_wonder",
        "wonder_fits",
        "wonder_not_available",
        "wonder_not_reached",
        "wonder_not_taken",
        "wonder_not_told",
        "wonder_not_yet",
        "wonder_twice",
        "wonder_waits",
        "wrong_place",
    )


class RecordError(ScoringError):
    """A game's record cannot be read or does not replay; `line` counts from 1."""

    codes: ClassVar[tuple[str, ...]] = (
        "bad_head",
        "bad_move",
        "bad_number",
        "bad_scores",
        "bad_tile",
        "colour_unknown",
        "no_tile",
        "score_differs",
        "total_differs",
    )

    def __init__(self, code: str, text: str, line: int, **details: Any) -> None:
        super().__init__(code, f"{text} (in line {line})", **details, line=line)
        self.line = line
