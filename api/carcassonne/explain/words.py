"""Explanation of a board in a language: facts line by line, and a feature's points with reasons in sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from api.documents.report import Entry, Nothing, Square
from api.i18n import Value, Words, capitalise
from api.i18n.report_text import label_player, number_words, translate_entry, translate_nothing
from scoring.carcassonne.board.board import Board, PlacedMeeple
from scoring.carcassonne.board.features import Feature, FeatureMap, Line, number_line, number_run
from scoring.carcassonne.board.pieces import get_piece_strength
from scoring.carcassonne.final.explain import Account, OpenEnd, WonderAccount
from scoring.carcassonne.final.farms import PIG_POINTS
from scoring.carcassonne.final.majority import Holding, Shortfall, list_holdings
from scoring.carcassonne.final.rulesets import LARGE_GAME_TILES, Ruleset
from scoring.carcassonne.final.scoring import compute_feature_worth
from scoring.carcassonne.final.sheet import ScoreSheet, Worth
from scoring.carcassonne.final.wonders import MIN_ROAD_TILES, MIN_RUN_TILES, is_long_run
from scoring.score_entry import ScoreEntry

_SIDES = {"N": "north", "E": "east", "S": "south", "W": "west"}


@dataclass(frozen=True)
class Case:
    """A feature of a board to be explained, with the score sheet; `names` are the players' names."""

    account: Account
    board: Board
    features: FeatureMap
    rules: Ruleset
    sheet: ScoreSheet
    shortfalls: tuple[Shortfall, ...]
    names: Mapping[str, str] = field(default_factory=dict)

    @property
    def feature(self) -> Feature:
        """Feature to be explained."""
        return self.account.feature

    def list_shortfalls(self) -> list[Shortfall]:
        """Return the shortfalls of the feature: the players on it who score nothing."""
        return [shortfall for shortfall in self.shortfalls if shortfall.feature == self.feature.id]

    def list_entries(self) -> list[ScoreEntry]:
        """Return the entries of the feature; for a field also those of its cities if each city is scored."""
        scored = {self.feature.id}
        if self.feature.kind == "field" and self.rules.farms == "by_city":
            scored |= set(self.feature.cities)
        of_field = self.feature.kind == "field"
        return [
            entry
            for entry in self.sheet.entries
            if entry.feature in scored and entry.rule.startswith("field.") == of_field
        ]


def explain_in_words(case: Case, words: Words) -> list[str]:
    """Explain a feature in full sentences: its cities, its holdings, and the players' points."""
    if case.account.wonder is not None:
        sentences = [*_explain_wonder(case, case.account.wonder, words)]
    else:
        counts = (*_explain_cities(case, words), *_explain_box_rules(case, words), *_explain_holdings(case, words))
        sentences = [*counts, *_explain_points(case, words)]
    return [capitalise(sentence, case.names.values()) for sentence in sentences]


def _explain_wonder(case: Case, account: WonderAccount, words: Words) -> Iterator[str]:
    """Yield the points of a wonder with the rule, or the reason for none and the points it would bring."""
    wonder = {"id": account.wonder.removeprefix("WH/"), "wonder": words.name("wonder", account.wonder)}
    owner = "" if account.owner is None else _name(case, words, account.owner)
    if account.worth is not None:
        yield words.say("explain-holds-and-scores", player=owner, points=account.worth.points, **wonder)
        yield _give_reason(case, account, account.worth, words)
    elif account.lack == "in_play":
        if owner:
            yield words.say("explain-holds", player=owner, **wonder)
        yield words.say("explain-in-play", **wonder)
        yield words.say("explain-during", **wonder)
    else:
        yield words.say("explain-unheld", lack=str(account.lack), **wonder)
    if account.would:
        each = (
            words.say("explain-player-points", player=_name(case, words, player), points=points)
            for player, points in account.would.items()
        )
        yield words.say("explain-as-owner", players=", ".join(each))


def _give_reason(case: Case, account: WonderAccount, worth: Worth, words: Words) -> str:
    """Explain the rule by which the owner scores, with the relevant facts of the table and the board."""
    each = worth.values["each"]
    if account.wonder in ("WH/circus-maximus", "WH/alhambra"):
        pieces = (name_counted_piece(case, piece, words) for piece in account.counted)
        pays: dict[str, Value] = {"n": len(account.counted), "pieces": "; ".join(pieces), "each": each}
        if account.wonder == "WH/circus-maximus":
            return words.say("explain-circus-maximus", players=account.players, **pays)
        size = "large" if account.tiles >= LARGE_GAME_TILES else "small"
        return words.say("explain-alhambra", size=size, large=LARGE_GAME_TILES, tiles=account.tiles, **pays)
    if account.wonder == "WH/angkor-wat":
        names = str(worth.values["names"])
        return words.say("explain-angkor-wat", least=MIN_ROAD_TILES, each=each, n=worth.values["roads"], names=names)
    lines = [name_line(line, case.board.origin, words) for line in account.lines if any(map(is_long_run, line.runs))]
    return words.say("explain-terracotta-army", least=MIN_RUN_TILES, each=each, n=len(lines), lines=words.join(lines))


def name_counted_piece(case: Case, piece: PlacedMeeple, words: Words) -> str:
    """Name a piece that a wonder pays for, by its player and its square."""
    square = translate_square(piece.square, case.board.origin, words)
    return words.say("explain-piece-in", player=_name(case, words, piece.colour), square=square)


def name_line(line: Line, origin: Square, words: Words) -> str:
    """Name a row or column within a sentence, as people count."""
    return words.say(f"explain-line-{line.axis}", index=number_line(line, origin))


def _explain_cities(case: Case, words: Words) -> Iterator[str]:
    """Yield the cities that count for a farm, and their worth."""
    farm = case.feature
    if farm.kind != "field":
        return
    yield words.say(
        "explain-cities", n=len(farm.cities), names=words.join(case.features[city].name for city in farm.cities)
    )
    each = case.rules.city_of_a_farm + PIG_POINTS * farm.pig_herds
    if farm.cities and case.rules.farms == "by_city":
        yield words.say("explain-by-city", each=each)
    elif farm.cities:
        yield words.say("explain-each", each=each, herds=farm.pig_herds)
    if farm.besieged and not farm.box_rules.ignores("siege"):
        names = words.join(case.features[city].name for city in farm.besieged)
        yield words.say("explain-besieged", names=names)
    pigs = () if farm.box_rules.ignores("traders") else (piece for piece in farm.pieces if piece.kind == "pig")
    for player in dict.fromkeys(pig.colour for pig in pigs):
        yield words.say("explain-pig", player=_name(case, words, player), each=each + PIG_POINTS)


def _explain_box_rules(case: Case, words: Words) -> Iterator[str]:
    """Yield the boxes of pieces or prints on the feature whose rules were not played."""
    if boxes := case.feature.list_ignored_boxes():
        yield words.say("explain-box-rules", boxes=words.join(words.name("box", box) for box in boxes))


def _explain_holdings(case: Case, words: Words) -> Iterator[str]:
    holdings = list_holdings(case.feature)
    for holding in holdings:
        yield from _explain_holding(case, words, holding)
    if len(holdings) == 0 or (case.rules.farms == "by_city" and case.feature.kind == "field"):
        return
    leaders = [_name(case, words, player) for player in case.feature.leaders]
    strengths = sorted(case.feature.strengths.values(), reverse=True)
    if len(strengths) > len(leaders) and strengths[0] == strengths[len(leaders)]:
        yield words.say("explain-hill", players=words.join(leaders))
    elif len(leaders) > 1:
        yield words.say("explain-tie", players=words.join(leaders), most=strengths[0])
    elif len(strengths) > 1:
        yield words.say("explain-majority", player=leaders[0], most=strengths[0], next=strengths[1])
    elif leaders:
        yield words.say("explain-alone", player=leaders[0])


def _explain_holding(case: Case, words: Words, holding: Holding) -> Iterator[str]:
    player = _name(case, words, holding.player)
    followers = {kind: number for kind, number in holding.pieces.items() if get_piece_strength(kind)}
    if followers:
        pieces = words.join(words.say("explain-pieces", kind=kind, n=number) for kind, number in followers.items())
        big = 0 if case.feature.box_rules.ignores("inns") else followers.get("big", 0)
        yield words.say("explain-counts", player=player, strength=holding.strength, pieces=pieces, big=big)
    if "mayor" in followers and not case.feature.box_rules.ignores("abbey"):
        yield words.say("explain-mayor", coats=case.feature.shields)
    for kind in holding.pieces:
        if kind not in followers and kind != "barn":
            yield words.say("explain-no-follower", player=player, piece=words.name("piece", kind))


def _explain_points(case: Case, words: Words) -> Iterator[str]:
    """Yield the players' points, the players without points, and the feature's worth if no player may score it."""
    yield from _explain_entries(case, words)
    yield from _explain_nothing(case, words)
    if not case.feature.strengths and not any(entry.points for entry in case.list_entries()):
        yield words.say("explain-nobody")
        worth = compute_feature_worth(case.feature, case.rules)
        if worth.points:
            entry = worth.entry("", case.feature.id)
            sum_words = translate_entry(words.language, Entry.copy_of(entry))
            yield words.say("explain-would", points=worth.points, sum=sum_words)


def _explain_entries(case: Case, words: Words) -> Iterator[str]:
    for entry in case.list_entries():
        if entry.points:
            yield words.say(
                "explain-scores",
                player=_name(case, words, entry.player),
                points=entry.points,
                sum=translate_entry(words.language, Entry.copy_of(entry)),
            )


def _explain_nothing(case: Case, words: Words) -> Iterator[str]:
    for shortfall in case.list_shortfalls():
        yield translate_nothing(words.language, Nothing.copy_of(shortfall), case.names)


def _name(case: Case, words: Words, player: str) -> str:
    return label_player(words.language, player, case.names)


def list_facts(account: Account, origin: Square, words: Words) -> Iterator[str]:
    """Yield the facts of a feature, line by line; squares are named from the board's origin."""
    feature = account.feature
    wonder = f" ({words.name('wonder', feature.placements[0].tile)})" if feature.kind == "wonder" else ""
    squares = "; ".join(translate_square(square, origin, words) for square in account.squares)
    size = words.say("size", n=len(account.squares))
    yield f"{capitalise(words.name('kind', feature.kind))} {feature.label}{wonder}: {size}: {squares}"
    for mark, square in account.marks:
        name = words.name("mark", mark.replace(" ", "-"))
        what = words.name("goods", mark) if name == mark else name
        yield capitalise(words.say("mark-at", what=what, square=translate_square(square, origin, words)))
    for end in account.open_ends:
        where = words.say(
            "open-at", square=translate_square(end.square, origin, words), side=name_side(end.side, words)
        )
        yield f"{where}: {translate_across(end, words)}"
    for city in account.cities:
        yield words.say("touches-complete" if city.complete else "touches-open", city=city.label)


def translate_across(end: OpenEnd, words: Words) -> str:
    """Name the content across an open side, which is why the side is open."""
    return words.say("explain-across", across=end.across)


def translate_line(line: Line, origin: Square, words: Words) -> str:
    """Describe the runs of tiles in a row or column: `Row 2: columns 1 to 5 (5 tiles)`."""
    runs = []
    for run in line.runs:
        first, last = number_run(line, run, origin)
        size = words.say("size", n=run.length)
        runs.append(f"{words.say(f'run-{line.axis}', first=first, last=last)} ({size})")
    return f"{words.say(f'line-{line.axis}', index=number_line(line, origin))}: {', '.join(runs)}"


def translate_place(place: str, words: Words) -> str:
    """Name a part of a tile: `road:N` as "road, north", a half-edge (`field:NL`) by its corner."""
    kind, _, where = place.partition(":")
    name = words.name("kind", kind)
    if not where or where.isdigit():
        return f"{name} {where}".strip()
    sides = _SIDES[where] if len(where) == 1 else _name_corner(where)
    return words.say("place", what=name, where=words.say(f"side-{sides}"))


def _name_corner(half_edge: str) -> str:
    """Name the corner of a half-edge: NL is at the north-west, NR at the north-east."""
    side, around = half_edge[0], "".join(_SIDES)
    other = around[(around.index(side) + (3 if half_edge[1] == "L" else 1)) % 4]
    vertical, across = (side, other) if side in "NS" else (other, side)
    return f"{_SIDES[vertical]}-{_SIDES[across]}"


def name_side(side: str, words: Words) -> str:
    """Name a side of a square: N is north."""
    return words.say(f"side-{_SIDES[side]}")


def translate_square(square: Square, origin: Square, words: Words) -> str:
    """Name a square as people count from the board's origin."""
    return words.say("square", **number_words(square, origin))
