"""The root of all errors, which have a stable code, and those of scoring.

WondertallyError
├── ScoringError
│   ├── RulesetError     no such rule set, or no such rules of a box; an InputError too
│   ├── CalibrationError the file of fitted numbers is missing or damaged; an InputError too
│   ├── CatalogueError   no such layout, or a file of a wonder that cannot be
│   ├── BoardError       a board that cannot be
│   ├── NotationError    a board's one-line notation cannot be read; says where
│   ├── LabelError       a label of a photo cannot be read
│   ├── PlayError        a move that the rules do not allow; the code names the rule
│   └── RecordError      a game's record cannot be read, or does not add up; says in which line
├── InputError           what was asked for cannot be done; its branches stand in `vision.errors` and `api.errors`
└── the errors of photos and readings (`vision.errors`), of reports and questions (`api.errors`), and of the server
    (`api.server.errors`)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar


class WondertallyError(Exception):
    """A failure with a code; `text` falls back on the code's usual sentence."""

    texts: ClassVar[Mapping[str, str]] = {}
    codes: ClassVar[tuple[str, ...]] = ()
    """Those whose texts are made where they are raised."""

    def __init__(self, code: str, text: str = "", details: Mapping[str, Any] | None = None) -> None:
        self.code = code
        self.text = text or self.texts.get(code, code.replace("_", " "))
        self.details = dict(details or {})
        super().__init__(f"{code}: {self.text}")

    @classmethod
    def list_codes(cls) -> tuple[str, ...]:
        """List the codes that errors of this class, and of no class below it, have."""
        return (*cls.texts, *cls.codes)

    def as_dict(self) -> dict[str, Any]:
        """Return the one error shape of every front door."""
        return {"error": {"code": self.code, "text": self.text, "details": self.details}}


class ScoringError(WondertallyError):
    """Something asked of scoring makes no sense; `code` is for programs, `text` for people."""

    def __init__(self, code: str, text: str, **details: Any) -> None:
        super().__init__(code, text, details)


class InputError(WondertallyError):
    """What was asked for cannot be done."""

    texts: ClassVar[Mapping[str, str]] = {
        "unsupported_game": "That game is not scored here.",
        "file_not_found": "There is no such file.",
        "cannot_write": "The file cannot be written.",
        "output_twice": "Two outputs would be written to one file, and one of them be lost: name another for one.",
        "bad_usage": "The command line cannot be understood.",
        "other_game": "That is not of this game.",
        "report_for_photo": "That is a report: name the photos that it was read from, or others of that game.",
        "game_wanted": "It has to be said which game that is.",
        "models_missing": "The trained nets are not there.",
        "models_damaged": "A file of the trained nets is damaged: install Wondertally again.",
        "photo_ambiguous": "The folder holds several photos of that name.",
        "renderer_missing": "The path tracer is not installed.",
    }


class RulesetError(ScoringError, InputError):
    """A rule set is asked for that there is not, or rules of a box that has none of its own."""

    codes: ClassVar[tuple[str, ...]] = ("bad_box_rules", "unknown_rules")


class CalibrationError(ScoringError, InputError):
    """The file of fitted numbers is not there, or damaged."""

    codes: ClassVar[tuple[str, ...]] = ("models_missing", "models_damaged")


class CatalogueError(ScoringError):
    """A tile that the catalogue does not hold, or a wonder's file that draws no wonder tile."""

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
    """A board's notation cannot be read; `position` is the index of the first character at fault."""

    codes: ClassVar[tuple[str, ...]] = (
        "bad_box_rules",
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
    """A board that cannot be: a meeple, a garden or a square where the tile has no such part."""

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
    """A move that the rules do not allow, or a game that cannot be set up; the code names the rule broken."""

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
        "no_parts_left",
        "no_piece_left",
        "no_such_action_card",
        "no_such_card",
        "no_such_disc",
        "no_such_segment",
        "no_such_wonder",
        "not_an_opponent",
        "not_in_stack",
        "not_on_the_tile",
        "not_your_turn",
        "nothing_offered",
        "nothing_to_keep",
        "offer_too_large",
        "one_action",
        "river_not_continued",
        "river_turns_back",
        "square_taken",
        "tile_fits",
        "too_few_wonders",
        "too_many_accepted",
        "too_many_added",
        "too_many_meeples",
        "touches_nothing",
        "trading_card_alone",
        "two_trading_cards",
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
        "no_such_action_card",
        "no_tile",
        "score_differs",
        "total_differs",
    )

    def __init__(self, code: str, text: str, line: int, **details: Any) -> None:
        super().__init__(code, f"{text} (in line {line})", **details, line=line)
        self.line = line
