"""Points for what lies in front of the players, as typed: goods, gold bars, the king, the robber baron, and points of
rules that are not scored here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from scoring.carcassonne.board.box_rules import BoxRules
from scoring.carcassonne.board.features import Feature, find_leaders
from scoring.carcassonne.final.sheet import Worth
from scoring.carcassonne.final.table import GOODS, Table
from scoring.counts import format_count
from scoring.score_entry import ScoreEntry

GOODS_POINTS = 10
"""By the rules: points for the majority of a kind of goods."""
GOLD_POINTS = ((10, 4), (7, 3), (4, 2), (0, 1))
"""By the rules: number of gold bars from which each is worth so many points."""


def count_finished(features: Iterable[Feature]) -> Counter[str]:
    """Count the finished cities and roads."""
    return Counter(feature.kind for feature in features if feature.kind in ("city", "road") and feature.complete)


def score_holdings(table: Table, finished: Mapping[str, int], rules: BoxRules) -> Iterator[ScoreEntry]:
    """Yield the points of what the players hold; `finished` are the numbers of finished cities and roads."""
    for kind, counts in sorted(table.goods.items()):
        holdings = {player: number for player, number in sorted(counts.items()) if number > 0}
        if kind in GOODS:
            yield from () if rules.ignores("traders") else _score_goods(kind, holdings)
        else:
            worths = {player: _compute_worth(kind, number, finished) for player, number in holdings.items()}
            yield from (worth.entry(player, "") for player, worth in worths.items())


def _score_goods(kind: str, tokens: Mapping[str, int]) -> Iterator[ScoreEntry]:
    """Yield 10 points for the player with most tokens of a kind; tied players each get them.

    Traders & Builders, "Final scoring: goods".
    """
    for player in find_leaders(tokens):
        text = f"most {kind}: {format_count(tokens[player], 'token')}"
        values: dict[str, int | str] = {"goods": kind, "tokens": tokens[player]}
        yield ScoreEntry(player, GOODS_POINTS, "", "goods.majority", text, values)


def _compute_worth(kind: str, number: int, finished: Mapping[str, int]) -> Worth:
    """Return the worth of one kind of holding.

    The Gold Mines, "Final scoring": the more bars, the more each is worth. King & Robber Baron, "Final scoring": the
    king pays 1 point for each finished city, the robber baron 1 for each finished road.
    """
    if kind == "gold":
        each = next(points for least, points in GOLD_POINTS if number >= least)
        text = f"{format_count(number, 'gold bar')} x {each}"
        return Worth(each * number, "gold.bars", text, {"bars": number, "each": each})
    if kind == "king":
        cities = finished.get("city", 0)
        return Worth(
            cities, "king.cities", format_count(cities, "finished city", "finished cities"), {"cities": cities}
        )
    if kind == "baron":
        roads = finished.get("road", 0)
        return Worth(roads, "baron.roads", format_count(roads, "finished road"), {"roads": roads})
    return Worth(number, "other.points", "as entered", {})
