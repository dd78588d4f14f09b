"""A whole board as the fragment of a URL (the part after the #), for people who store it nowhere.

The fragment is a version, `1.`, then the JSON of a `SharedBoard`, deflated, in URL-safe base64.
"""

from __future__ import annotations

import base64
import binascii
import zlib
from typing import Annotated, Any

from pydantic import Field

from api.carcassonne.report.board import read_kept_layouts
from api.carcassonne.report.builder import build_board_report
from api.carcassonne.report.score_track import add_track_points
from api.documents.plain_numbers import PlainNumbers
from api.documents.report import Model, Report
from api.documents.tile_corrections import PlayerName
from api.errors import FragmentError
from api.inputs.table_words import check_colour, check_table
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.final.rulesets import TODAY, get_ruleset
from scoring.carcassonne.final.table import HOLDINGS, MAX_PLAYERS, MAX_TILES, MAX_TOKENS, Table
from scoring.carcassonne.wonders.tiles import WONDERS
from scoring.documents import parse_json

VERSION = "1."
MAX_FRAGMENT_CHARACTERS = 16_384
"""Maximum length of a fragment. Bounds memory."""
MAX_TEXT_BYTES = 65_536
"""Maximum number of bytes that a fragment may unpack to: a board of 300 tiles takes 3,000. Bounds memory."""

Colour = Annotated[str, Field(pattern=r"^[a-z]+(-[a-z]+)*$", max_length=20)]
TokenCounts = dict[
    Annotated[str, Field(pattern=rf"^({'|'.join(HOLDINGS)})$")],
    Annotated[dict[Colour, Annotated[int, Field(ge=0, le=MAX_TOKENS)]], Field(max_length=20)],
]
"""Goods tokens by kind, then by colour."""


class SharedBoard(PlainNumbers, Model):
    """A shared board: its notation, names and points on the score track by colour, the rule set and the table.

    `wonders` are layouts of wonders that differ from the shipped ones, each as in a wonder's file.
    """

    notation: str
    names: dict[Colour, PlayerName] = Field(default_factory=dict)
    track: dict[Colour, Annotated[int, Field(ge=0, le=9999)]] = Field(default_factory=dict)
    rules: str = TODAY.name
    tiles_in_play: Annotated[int, Field(ge=1, le=MAX_TILES)] | None = None
    player_count: Annotated[int, Field(ge=1, le=MAX_PLAYERS)] | None = None
    goods: TokenCounts = Field(default_factory=dict)
    wonders: list[dict[str, Any]] = Field(default_factory=list, max_length=len(WONDERS))

    @classmethod
    def of(cls, report: Report) -> SharedBoard:
        """Build the shared form of a report's board."""
        track = {colour: points for colour, points in report.scores.on_track.items() if points is not None}
        there = len(report.board.tiles)
        return cls(
            notation=report.board.notation,
            names=report.names,
            track=track,
            rules=report.rules.edition or TODAY.name,
            tiles_in_play=None if report.rules.tiles_in_play == there else report.rules.tiles_in_play,
            player_count=report.rules.player_count,
            goods=report.rules.goods,
            wonders=report.wonders,
        )

    def report(self) -> Report:
        """Build the board's report; raises ScoringError, TrackError, TableError or ReportError if it is impossible."""
        rules = get_ruleset(self.rules)
        table = Table(tuple({**self.track, **self.names}), self.tiles_in_play, self.goods, self.player_count)
        board = parse_notation(self.notation, read_kept_layouts(self.wonders))
        check_table(board, table)
        for colour in self.names:
            check_colour(colour, board.players)
        report = add_track_points(build_board_report(board, rules, table), self.track, rules)
        report.names = self.names
        return report


def encode_fragment(shared: SharedBoard) -> str:
    """Encode a board as the text of a fragment; the inverse of `decode_fragment`."""
    text = shared.model_dump_json(exclude_defaults=True).encode()
    packer = zlib.compressobj(9, wbits=-zlib.MAX_WBITS)
    packed = packer.compress(text) + packer.flush()
    return VERSION + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def decode_fragment(fragment: str) -> SharedBoard:
    """Decode a fragment; raises FragmentError, also if the text would unpack to more than MAX_TEXT_BYTES."""
    if len(fragment) > MAX_FRAGMENT_CHARACTERS:
        raise FragmentError("fragment_too_large")
    if not fragment.startswith(VERSION):
        raise FragmentError("bad_fragment")
    body = fragment.removeprefix(VERSION)
    try:
        packed = base64.b64decode(body + "=" * (-len(body) % 4), altchars=b"-_", validate=True)
        return SharedBoard.model_validate(parse_json(_inflated(packed)))
    except (binascii.Error, zlib.error, ValueError) as error:
        raise FragmentError("bad_fragment") from error


def _inflated(packed: bytes) -> bytes:
    unpacker = zlib.decompressobj(wbits=-zlib.MAX_WBITS)
    text = unpacker.decompress(packed, MAX_TEXT_BYTES)
    if unpacker.unconsumed_tail:
        raise FragmentError("fragment_too_large")
    if not unpacker.eof:
        raise FragmentError("bad_fragment")
    return text
