"""A turn as players say it: `red lays the curve from south to west at row 3, column 4: thief`."""

from __future__ import annotations

from collections.abc import Iterator

from api.i18n import Words, load_words
from api.i18n.report_text import translate_rule
from api.i18n.tile_words import describe_tile
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.board.square_names import name_square, name_squares
from scoring.carcassonne.play.moves import Laid, Stand, Turn
from scoring.carcassonne.tiles.geometry import Square
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

ROLES = {"road": "thief", "city": "knight", "monastery": "monk", "field": "farmer"}
"""Names of a meeple by the kind of its feature. By the rules."""


def describe_turn(turn: Turn, origin: Square) -> str:
    """Return a turn in words, naming squares from an origin."""
    words, move = load_words("en"), turn.move
    tiles = " and ".join(_describe_tile(words, tile, origin) for tile in (move.extra, move.tile) if tile is not None)
    stands = [name_stand(stand, move.tile) for stand in move.stands]
    parts = [f"{move.player} lays {tiles}" + f": {' and '.join(stands)}" * bool(stands)]
    parts += [f"marks it with the {move.marker.kind}"] * (move.marker.kind != "meeple")
    parts += ["takes the abbot back"] * move.recalls_abbot
    parts += _list_points(turn)
    for piece in turn.returned:
        if piece.square not in move.tile.placements:
            whose = "" if piece.colour == move.player else f"{piece.colour} "
            parts.append(f"{whose}takes the {piece.kind} back from {name_square(piece.square, origin)}")
    return "; ".join(parts) + ("; moves once more" if turn.again else "")


def name_stand(stand: Stand, laid: Laid) -> str:
    """Name a piece by what it does where it stands: `thief`, `big meeple as knight`, `builder on the road`."""
    placement = laid.placements[stand.square]
    kind = placement.layout.segments[stand.segment].kind
    if kind not in ROLES or stand.kind not in ("meeple", "big"):
        return f"{stand.kind} on the {name_segment(placement.layout, placement.turns, stand.segment)}"
    return ROLES[kind] if stand.kind == "meeple" else f"big meeple as {ROLES[kind]}"


def _describe_tile(words: Words, tile: Laid, origin: Square) -> str:
    if isinstance(tile, PlacedWonder):
        return f"{tile.layout.name} on {name_squares(tile.squares, origin)}"
    described = describe_tile(words, tile.placement)
    named = "a plain field" if described == words.say("tile-field") else f"the {described}"
    return f"{named} at {name_square(tile.square, origin)}"


def _list_points(turn: Turn) -> Iterator[str]:
    for entry in turn.entries:
        yield f"{format_count(entry.points, 'point')} for {entry.player} ({_name_reason(entry)})"


def _name_reason(entry: ScoreEntry) -> str:
    """Name a rule within a sentence; the names of wonders stay capital."""
    rule = translate_rule("en", entry.rule)
    return rule if entry.rule.startswith("wonder.") else rule.lower()
