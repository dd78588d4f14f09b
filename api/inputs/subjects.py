"""Subjects of a question about a table: squares, players and features, by the words that name them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from api.documents.table_options import NamedSquare
from api.errors import QuestionError
from scoring.carcassonne.board.square_names import read_square_name
from scoring.player_colours import COLOURS, describe_unknown_colour, find_colour

MAX_LISTED_FEATURES = 30
"""Maximum number of names listed in an error, as many as a person reads through. A guess."""


def parse_square(text: str) -> NamedSquare:
    """Parse a square as people see it, `row 3, column 8` or `3,8`; raises QuestionError."""
    if (named := read_square_name(text)) is None:
        raise QuestionError("bad_square", details={"given": text})
    return NamedSquare(*named)


def find_players(words: Iterable[str], players: Sequence[str]) -> tuple[str, ...]:
    """Find the players that words name by their colours.

    Raises QuestionError `colour_unknown` for a word that names no colour, `no_such_player` for the colour of no player.
    """
    colours = list(dict.fromkeys((*players, *COLOURS)))
    found: dict[str, None] = {}
    for word in words:
        refuse_empty_name("no_such_player", "player", word, players)
        if (player := find_colour(word, players)) not in players:
            if player not in colours:
                raise QuestionError("colour_unknown", details=describe_unknown_colour(word, colours))
            raise QuestionError("no_such_player", details={"player": word, "players": list(players)})
        found[player] = None
    return tuple(found)


def refuse_empty_name(code: str, what: str, name: str, known: Sequence[str]) -> None:
    """Raise QuestionError for an empty name, with an example of a known one."""
    if not name.strip():
        example = f", such as {known[0]}" if known else ""
        details = {what: name, f"{what}s": list(known[:MAX_LISTED_FEATURES])}
        raise QuestionError(code, f"The name of a {what} is wanted{example}: what was given is empty.", details)


def list_known_features(name: str, known: Sequence[str]) -> dict[str, object]:
    """Return the details of such an error without a suggestion: some known features, and the number of others."""
    more = {"more": len(known) - MAX_LISTED_FEATURES} if len(known) > MAX_LISTED_FEATURES else {}
    return {"feature": name, "features": list(known[:MAX_LISTED_FEATURES]), **more}
