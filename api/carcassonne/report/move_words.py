"""Moves between photos as players say them, in any language: `red lays the curve from south to west: thief`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from api.carcassonne.report.moves_schema import LogLine, Move, Moves, Piece, Range, Stretch, Totals
from api.documents.report import Entry, Problem, Square
from api.i18n import capitalise, load_words
from api.i18n.report_text import (
    format_likelihood,
    label_player,
    number_words,
    translate_error,
    translate_meeple,
    translate_place,
    translate_problem,
    translate_rule,
    translate_tile,
)
from api.i18n.tile_words import describe_tile
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.wonders.tiles import WONDERS

ROLES = ("road", "city", "monastery", "field")
"""Kinds of features on which a meeple has a name of its own. By the rules."""
_POINTS_OF = "points_"
_WORDED = ("turn_differs", "photo_moved", "doubtful_tile", "doubtful_piece")
"""Problems whose text is made of words and values in English too."""


def translate_moves(moves: Moves, language: str, names: Mapping[str, str] | None = None) -> Moves:
    """Return the moves with all texts in a language, and their log; `names` are the players' names by colour."""
    teller = MoveTeller(language, names or {}, moves.origin)
    stretches = [
        stretch.model_copy(
            update={
                "moves": [move.model_copy(update={"text": teller.describe_move(move)}) for move in stretch.moves],
                "open": [teller.translate_problem(problem) for problem in stretch.open],
            }
        )
        for stretch in moves.stretches
    ]
    refused = [
        one.model_copy(update={"text": translate_error(language, one.code)}) if language != "en" else one
        for one in moves.refused
    ]
    update = {
        "stretches": stretches,
        "open": [teller.translate_problem(problem) for problem in moves.open],
        "refused": refused,
        "log": [line for number, stretch in enumerate(stretches) for line in teller.list_log(number, stretch)],
    }
    return moves.model_copy(update=update)


class MoveTeller:
    """A teller of moves in one language; squares are counted from an origin."""

    def __init__(self, language: str, names: Mapping[str, str], origin: Square) -> None:
        self.words, self._names, self._origin = load_words(language), names, origin

    def describe_move(self, move: Move) -> str:
        """Describe a turn in a sentence."""
        say = self.words.say
        parts = [say("move-lays", player=self.name_player(move.player), tiles=self.words.join(self._list_tiles(move)))]
        if move.pieces:
            pieces = self.words.join(map(self._name_piece, move.pieces))
            parts = [say("move-sets", lays=parts[0], pieces=pieces)]
        if move.marker is not None:
            parts.append(say("move-marks", piece=self.words.name("piece", move.marker)))
        for entry in move.scores:
            rule = self._name_rule(entry)
            parts.append(say("move-points", player=self.name_player(entry.player), points=entry.points, rule=rule))
        parts += self._list_returns(move)
        if move.goods:
            parts.append(say("move-goods", goods=self.words.join(self._list_goods(move))))
        return "; ".join([*parts, *([say("move-again")] if move.again else [])])

    def describe_points(self, entry: Entry, move: Move) -> str:
        """Describe points in a sentence: `blue finishes a road of 4: 4 points`."""
        say, player = self.words.say, self.name_player(entry.player)
        kind, _, state = entry.rule.partition(".")
        if state != "finished" or f"log-{kind}" not in self.words:
            return say("log-other", player=player, points=entry.points, rule=self._name_rule(entry))
        feature = say(f"log-{kind}", tiles=entry.values.get("tiles", 0))
        if entry.player == move.player:
            return say("log-finishes", player=player, feature=feature, points=entry.points)
        other = self.name_player(move.player)
        return say("log-gets", player=player, feature=feature, points=entry.points, other=other)

    def list_log(self, number: int, stretch: Stretch) -> Iterator[LogLine]:
        """Yield the lines of a stretch, whose texts are already in the language."""
        for place, move in enumerate(stretch.moves):
            tiles = [(tile.row, tile.col) for tile in move.tiles]
            line = LogLine(
                kind="move",
                stretch=number,
                move=place,
                round=move.round,
                player=move.player,
                tiles=tiles,
                text=move.text,
            )
            yield line
            for entry in move.scores:
                text = self.describe_points(entry, move)
                update = {"kind": "points", "player": entry.player, "points": entry.points, "text": text}
                yield line.model_copy(update=update)
        for problem in stretch.open:
            player = str(problem.values["player"]) if "player" in problem.values else None
            text, code = problem.text, problem.code
            yield LogLine(kind="open", stretch=number, player=player, code=code, tiles=problem.tiles, text=text)

    def translate_problem(self, problem: Problem) -> Problem:
        """Return a problem with its text in the language, and its square in front; the document's text is English."""
        language = self.words.language
        values = dict(problem.values)
        is_worded = problem.code in _WORDED or "row" in values or ("player" in values and self._names)
        if language == "en" and not is_worded:
            return problem
        if problem.code == "doubtful_tile":
            values = self._name_possible_tiles(values)
        if problem.code == "doubtful_piece":
            values |= {name: self._name_stay(name, values) for name in ("read", "instead")}
        if "place" in values:
            values["place"] = translate_place(self.words, str(values["place"]))
        if "percent" in values:
            values["likely"] = format_likelihood(language, int(values.pop("percent")) / 100)
        shares = {key: values.pop(key) for key in [*values] if key.startswith(_POINTS_OF)}
        if shares:
            scores = {key.removeprefix(_POINTS_OF): int(points) for key, points in shares.items()}
            values["scores"] = self.format_scores(scores)
        text = translate_problem(language, problem.model_copy(update={"values": values}), self._names)
        if problem.tiles and "row" not in values:
            text = f"{self.name_square(problem.tiles[0])}: {text}"
        return problem.model_copy(update={"text": capitalise(text, self._names.values())})

    def _name_possible_tiles(self, values: Mapping[str, int | str]) -> dict[str, int | str]:
        """Return the values of a text about a tile in doubt: what was read, and what else may lie there."""
        named = []
        for number in (number for number in range(3) if f"tile{number}" in values):
            tile = translate_tile(self.words, str(values[f"tile{number}"]), int(values[f"turns{number}"]))
            likely = format_likelihood(self.words.language, int(values[f"percent{number}"]) / 100)
            named.append(self.words.say("moves-likely", what=tile, likely=likely))
        read = named.pop(0) if "tile0" in values else ""
        others = self.words.join(named, "or") or self.words.say("moves-nothing-else")
        return {"case": values["case"], "reads": read, "others": others}

    def _name_stay(self, name: str, values: Mapping[str, int | str]) -> str:
        """Name a piece that may stand somewhere: `meeple (blue): city, west`."""
        if f"{name}_colour" not in values:
            return self.words.say("meeple-none")
        colour, piece, place = (str(values[f"{name}_{part}"]) for part in ("colour", "piece", "place"))
        return translate_meeple(self.words, colour, piece, place, self._names)

    def format_scores(self, scores: Mapping[str, int]) -> str:
        """Format each player's points: `blue 12, yellow 9`."""
        return ", ".join(
            self.words.say("log-score", player=self.name_player(player), points=points)
            for player, points in scores.items()
        )

    def format_ranges(self, ranges: Mapping[str, Range] | None) -> str:
        """Format the range of each player's points: `blue 12, yellow 7 to 15`."""
        if ranges is None:
            return self.words.say("moves-unknown")
        texts = {
            player: str(low) if low == high else self.words.say("moves-range", low=low, high=high)
            for player, (low, high) in ranges.items()
        }
        return ", ".join(
            self.words.say("log-score", player=self.name_player(player), points=text) for player, text in texts.items()
        )

    def describe_totals(self, totals: Totals) -> tuple[str, str]:
        """Return the sums of all players, and who wins."""
        say, winners = self.words.say, [*map(self.name_player, totals.winners)]
        sums = ", ".join(
            say(
                "log-total",
                player=self.name_player(player),
                running=total - totals.final_scoring[player],
                final=totals.final_scoring[player],
                total=total,
            )
            for player, total in totals.total.items()
        )
        is_alone = len(winners) == 1
        result = say("log-wins", player=winners[0]) if is_alone else say("log-shared", players=self.words.join(winners))
        return sums, result if totals.settled else say("log-if-assumed", result=result)

    def name_player(self, colour: str) -> str:
        """Return a player's name, or else the colour."""
        return label_player(self.words.language, colour, self._names)

    def name_square(self, square: Square) -> str:
        """Return the name of a square: `row 3, column 7`."""
        return self.words.say("square", **number_words(square, self._origin))

    def _list_tiles(self, move: Move) -> Iterator[str]:
        say = self.words.say
        wonder = [tile for tile in move.tiles if tile.tile in WONDERS]
        for tile in (tile for tile in move.tiles if tile not in wonder):
            assert tile.tile is not None
            described = describe_tile(self.words, Placement(tile.tile, tile.turns))
            square = self.name_square((tile.row, tile.col))
            is_field = described == say("tile-field")
            yield say("move-field", square=square) if is_field else say("move-tile", tile=described, square=square)
        if wonder:
            squares = "; ".join(self.name_square((tile.row, tile.col)) for tile in wonder)
            yield say("move-wonder", wonder=self.words.name("wonder", str(wonder[0].tile)), squares=squares)

    def _name_piece(self, piece: Piece) -> str:
        """Name a piece by what it does where it stands: `thief`, `big meeple as knight`, `builder on the road`."""
        kind = piece.on.partition(":")[0]
        if kind in ROLES and piece.kind in ("meeple", "big"):
            role = self.words.say(f"role-{kind}")
            return role if piece.kind == "meeple" else self.words.say("move-big", role=role)
        place = translate_place(self.words, piece.on)
        return self.words.say("move-piece", piece=self.words.name("piece", piece.kind), place=place)

    def _list_returns(self, move: Move) -> Iterator[str]:
        """Yield the pieces taken back from tiles that lay there before."""
        laid = {(tile.row, tile.col) for tile in move.tiles}
        for piece in (piece for piece in move.back if piece.tile not in laid):
            named, square = self.words.name("piece", piece.kind), self.name_square(piece.tile)
            if piece.colour == move.player:
                yield self.words.say("move-back", piece=named, square=square)
            else:
                player = self.name_player(piece.colour)
                yield self.words.say("move-back-other", player=player, piece=named, square=square)

    def _list_goods(self, move: Move) -> Iterator[str]:
        for kind, number in move.goods.items():
            yield f"{number} {self.words.name('goods', kind)}"

    def _name_rule(self, entry: Entry) -> str:
        """Name a rule within a sentence; the names of wonders stay capital."""
        rule = translate_rule(self.words.language, entry.rule)
        is_name = entry.rule.startswith("wonder.") or self.words.language == "de"
        return rule if is_name else rule[:1].lower() + rule[1:]
