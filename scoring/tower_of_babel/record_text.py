"""A game's record as text.

    players red yellow blue
    discs giza camel3 crane4 ship2/mason3
    discs colossus ...
    1 red giza camel3 offers:yellow:camel1,ship1+trading offers:blue:camel1 accepts:yellow adds:camel2 = 0 0 1
    2 yellow passes = 0 0 1
    3 blue giza crane4 adds:crane2 joker:crane draws:points again = 7 4 12
    total 40 31 52

The head lists the players in order, and the discs on each of the 8 wonders: a kind and the number of its cards that a
disc needs, or 2 of these joined by `/` for a two-coloured disc. A move has its number, its player, the wonder and the
wanted disc (or `passes`), and the points on the track after it. `offers:` gives an opponent and the cards by kind (`-`
for none), with or without the trading card; `accepts:` the opponents whose offers are selected; `adds:` the active
player's own cards; `joker:` the kind that a joker stands for; `triple:` the players of "Triple Bonus"; `draws:` the
action card drawn for a completed wonder, if known; `again` a "Double Turn". `total` ends a finished game: the points
including the final scoring.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import cast, get_args

from scoring.errors import RecordError
from scoring.record_format import format_numbers, parse_numbers
from scoring.tower_of_babel.board import KINDS, WONDERS
from scoring.tower_of_babel.components import Card
from scoring.tower_of_babel.play import Build, Disc, Move, Offer, Pass
from scoring.tower_of_babel.record import HEAD_LINES, Record, RecordedMove

_PASSES, _AGAIN, _TRADING, _NOTHING = "passes", "again", "+trading", "-"
_LINE = re.compile(r"(?P<number>\d{1,6}) (?P<player>[a-z]+) (?P<words>.+) = (?P<points>-?\d+(?: -?\d+)*)", re.ASCII)
_NEED = re.compile(rf"({'|'.join(KINDS)})(\d{{1,3}})", re.ASCII)


def format_record(record: Record) -> str:
    """Return the text of a record."""
    lines = [f"players {' '.join(record.players)}"]
    lines += [f"discs {wonder} {' '.join(map(_format_disc, record.discs[wonder]))}" for wonder in WONDERS]
    for number, recorded in enumerate(record.moves, 1):
        words = " ".join(_format_words(recorded.move))
        lines.append(f"{number} {recorded.move.player} {words} = {format_numbers(recorded.points)}")
    if record.totals is not None:
        lines.append(f"total {format_numbers(record.totals)}")
    return "\n".join(lines) + "\n"


def parse_record(text: str) -> Record:
    """Return the record from a text; raise RecordError, which names the line."""
    lines = text.splitlines()
    players = _read_head(lines, 1, "players")
    discs = {wonder: _read_discs(lines, number, wonder) for number, wonder in enumerate(WONDERS, 2)}
    totals, end = None, len(lines)
    if end > HEAD_LINES and lines[-1].startswith("total "):
        end -= 1
        totals = parse_numbers(lines[end].removeprefix("total "), len(players), end + 1)
    moves = (_read_move(lines[at], at + 1, len(players)) for at in range(HEAD_LINES, end))
    return Record(tuple(players), discs, tuple(moves), totals)


def _read_head(lines: list[str], number: int, key: str) -> list[str]:
    """Return the words after a key in a line of the head."""
    line = lines[number - 1] if number <= len(lines) else ""
    if not line.startswith(f"{key} ") or not line.removeprefix(key).split():
        raise RecordError("bad_head", f"a line '{key} ...' is missing", number)
    return line.removeprefix(key).split()


def _read_discs(lines: list[str], number: int, wonder: str) -> tuple[Disc, ...]:
    return tuple(_read_disc(word, number) for word in _read_head(lines, number, f"discs {wonder}"))


def _format_disc(disc: Disc) -> str:
    return "/".join(f"{kind}{number}" for kind, number in disc.needs)


def _format_cards(cards: Mapping[str, int]) -> str:
    return ",".join(f"{kind}{number}" for kind, number in cards.items()) or _NOTHING


def _format_words(move: Move) -> Iterator[str]:
    if isinstance(move, Pass):
        yield _PASSES
    else:
        yield from (move.wonder, _format_disc(move.disc))
        for player, offer in move.offers.items():
            yield f"offers:{player}:{_format_cards(offer.cards)}{_TRADING if offer.trading else ''}"
        fields = {
            "accepts": ",".join(move.accepted),
            "adds": _format_cards(move.adds) if move.adds else "",
            "joker": move.joker,
            "triple": ",".join(move.triple),
            "draws": move.action_card,
        }
        yield from (f"{key}:{value}" for key, value in fields.items() if value)
    if move.again:
        yield _AGAIN


def _read_disc(word: str, line: int) -> Disc:
    needs = tuple(_read_need(need, line) for need in word.split("/"))
    if not 1 <= len(dict(needs)) == len(needs) <= 2:
        raise RecordError(_get_code(line), f"{word!r} is no disc, as in 'camel3' or 'ship2/mason3'", line)
    return Disc(needs)


def _get_code(line: int) -> str:
    """Return the error code of words that cannot be read."""
    return "bad_head" if line <= HEAD_LINES else "bad_move"


def _read_need(word: str, line: int) -> tuple[str, int]:
    match = _NEED.fullmatch(word)
    if not match:
        raise RecordError(_get_code(line), f"{word!r} is no kind of cards with how many, as in 'camel3'", line)
    return match[1], int(match[2])


def _read_cards(text: str, line: int) -> dict[str, int]:
    needs = [] if text == _NOTHING else [_read_need(word, line) for word in text.split(",")]
    if len(dict(needs)) < len(needs):
        raise RecordError(_get_code(line), f"{text!r} names a kind twice", line)
    return dict(needs)


def _read_move(text: str, line: int, players: int) -> RecordedMove:
    match = _LINE.fullmatch(text)
    if not match:
        raise RecordError("bad_move", "a move reads 'NUMBER PLAYER WONDER DISC ... = POINTS', or 'passes'", line)
    if int(match["number"]) != line - HEAD_LINES:
        raise RecordError("bad_number", f"move {line - HEAD_LINES} is called {match['number']}", line)
    words = match["words"].split(" ")
    again = words[-1] == _AGAIN
    move = _read_words(match["player"], words[:-1] if again else words, again, line)
    return RecordedMove(move, parse_numbers(match["points"], players, line))


@dataclass
class _BuildWords:
    """The words of a build."""

    offers: dict[str, Offer] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)


def _read_words(player: str, words: list[str], again: bool, line: int) -> Move:
    if words == [_PASSES]:
        return Pass(player, again)
    if len(words) < 2:
        raise RecordError("bad_move", "a build names the wonder and the disc", line)
    wonder, disc, *more = words
    build_words = _BuildWords()
    for word in more:
        _read_build_word(build_words, word, line)
    card = build_words.values.get("draws")
    if card is not None and card not in get_args(Card):
        raise RecordError("no_such_action_card", f"there is no action card {card!r}", line)
    return Build(
        player,
        wonder,
        _read_disc(disc, line),
        build_words.offers,
        _split_names(build_words.values.get("accepts")),
        _read_cards(build_words.values["adds"], line) if "adds" in build_words.values else {},
        build_words.values.get("joker"),
        _split_names(build_words.values.get("triple")),
        cast("Card | None", card),
        again,
    )


def _read_build_word(build_words: _BuildWords, word: str, line: int) -> None:
    key, _, value = word.partition(":")
    if key == "offers":
        player, _, cards = value.partition(":")
        if not player or player in build_words.offers:
            raise RecordError("bad_move", f"{word!r} is no offer of one more opponent", line)
        trading = cards.endswith(_TRADING)
        build_words.offers[player] = Offer(_read_cards(cards.removesuffix(_TRADING), line), trading)
    elif key in ("accepts", "adds", "joker", "triple", "draws") and value and key not in build_words.values:
        build_words.values[key] = value
    else:
        raise RecordError("bad_move", f"{word!r} says nothing of a build", line)


def _split_names(text: str | None) -> tuple[str, ...]:
    return tuple(text.split(",")) if text else ()
