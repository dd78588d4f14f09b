"""Fit how surely players take points at once: `python -m models.calibration.board.taking GAME.json ...`.

A player whose tile completes a feature without pieces may set a meeple there and take it back with the points. No photo
shows it. The command replays games whose moves are known (`start`, `players` and `moves`, as the players of
`t3k14.json` noted them), and counts the turns that offered points in this way and left no other piece on the tile. The
log-odds of taking them are `per_point` times the points, fitted by maximum likelihood, with one turn of the mean gain
each way as the prior. `--write` writes the row `taking` into `[carcassonne.habits]` of `models/calibration.toml`.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from scipy.optimize import minimize_scalar

from models.calibration.file import FittedRow, TooFewCasesError, add_write_option, report_rows
from scoring.carcassonne.board.board import Placement
from scoring.carcassonne.board.places import find_segment
from scoring.carcassonne.play.moves import Move, PlacedTile, Stand
from scoring.carcassonne.play.setup import Setup
from scoring.carcassonne.reconstruct.state import Conjecture
from scoring.carcassonne.tiles.geometry import Square


@dataclass(frozen=True, slots=True)
class Offer:
    """Points that a meeple set and taken back at once would have brought, and whether the player took them."""

    gain: int
    is_taken: bool


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("games", type=Path, nargs="+", metavar="GAME", help="games as JSON, move by move")
    add_write_option(parser)
    options = parser.parse_args()
    games = [json.loads(file.read_text(encoding="utf-8")) for file in options.games]
    report_rows("carcassonne", fit_rows(games), options.write, {"games": len(games)})


def fit_rows(games: Iterable[Mapping[str, Any]]) -> Iterator[FittedRow]:
    """Yield the row of the log-odds per point; raises TooFewCasesError."""
    offers = [offer for game in games for offer in list_offers(game)]
    if not offers:
        raise TooFewCasesError("no turn offered points for a meeple set and taken back")
    gains = np.array([offer.gain for offer in offers], np.float64)
    middle = float(gains.mean())
    signed = np.array([*np.where([offer.is_taken for offer in offers], gains, -gains), middle, -middle])
    rate = minimize_scalar(lambda rate: float(np.logaddexp(0, -rate * signed).sum()), bounds=(0, 10)).x
    counts = {"offers": len(offers), "taken": sum(offer.is_taken for offer in offers)}
    yield FittedRow("habits", "taking", {"per_point": round(float(rate), 2)}, counts, len(offers))


def list_offers(content: Mapping[str, Any]) -> Iterator[Offer]:
    """Yield the turns of a game that offered points for a meeple set and taken back, and left no piece on the tile."""
    start = Placement(content["start"]["tile"], content["start"]["turns"])
    game = Conjecture(Setup(tuple(content["players"]), start=start))
    for entry in content["moves"]:
        move = read_move(entry)
        gain = max((_count_gain(game, move, stand) for stand in _list_stands(game, move)), default=0)
        turn = game.play(move)
        if gain > 0 and len(turn.move.stands) == sum(piece.square in move.tile.placements for piece in turn.returned):
            yield Offer(gain, bool(move.stands))


def read_move(entry: Mapping[str, Any]) -> Move:
    """Return a move as noted: the tile with x to the right and y upwards, and the feature of its meeple."""
    placement = Placement(entry["tile"], entry["turns"])
    square: Square = (-entry["y"], entry["x"])
    segment = find_segment(placement.layout, placement.turns, entry["meeple"]) if entry["meeple"] else None
    stands = () if segment is None else (Stand(square, segment),)
    return Move(entry["player"], PlacedTile(placement, square), stands)


def _list_stands(game: Conjecture, move: Move) -> Iterator[Stand]:
    """Yield the places of the tile on which a meeple in hand may stand."""
    if game.to_set(move.player)["meeple"] > 0:
        for members in game.free_features(move.tile, None, "meeple"):
            yield Stand(*members[0])


def _count_gain(game: Conjecture, move: Move, stand: Stand) -> int:
    """Return the points that a meeple in this place brings at once, if it then comes back."""
    with_meeple, without = (game.copy().play(Move(move.player, move.tile, stands)) for stands in ((stand,), ()))
    return with_meeple.scores[move.player] - without.scores[move.player]


if __name__ == "__main__":
    main()
