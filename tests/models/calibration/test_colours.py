"""How the net names pieces in colours that it was not taught is found again; real ones are collected."""

from __future__ import annotations

import numpy as np
import pytest

from models.calibration.colours import (
    PLAYERS_SHARE,
    NamedPieces,
    collect_pieces,
    compute_mean_nats,
    fit_rows,
    fit_weights,
    list_players,
    list_renamed,
)
from tests.scoring.outside import SHARED, needs_shared
from vision.evaluation.labels import load_truth
from vision.pieces.classifier import Piece
from vision.pieces.colour_illumination import compute_usual_paints, illuminate_paints
from vision.pieces.untaught_colours import UNTAUGHT_COLOURS, load_colour_weights
from vision.reader import Reader

NET = ("red", "yellow", "black", "white")
ORANGE = "orange"


def build_photo(
    orange_odds: tuple[float, float, float, float], players: tuple[str, ...] = ("red", "black", ORANGE)
) -> NamedPieces:
    """Return three pieces of each player in even light: the net says so of orange ones, and is sure of all others."""
    names = [name for name in players for _ in range(3)]
    paints = dict(zip(players, illuminate_paints(compute_usual_paints(players), np.zeros(3)), strict=True))
    odds = [
        orange_odds if name == ORANGE else tuple(0.97 if name == other else 0.01 for other in NET) for name in names
    ]
    pieces = [
        Piece((float(i), 0.0), 0.99, np.array(odds[i]), np.ones(1), paint=paints[name]) for i, name in enumerate(names)
    ]
    return NamedPieces(pieces, np.array(odds), dict(enumerate(names)))


def test_what_the_net_says_of_orange_pieces_is_found() -> None:
    as_yellow, as_red = (
        fit_weights([*list_players(build_photo(odds), NET)], NET, [ORANGE]).untaught[ORANGE].names
        for odds in ((0.02, 0.96, 0.01, 0.01), (0.96, 0.02, 0.01, 0.01))
    )
    assert as_yellow["yellow"] > as_red["yellow"]
    assert as_red["red"] > as_yellow["red"]


def test_weights_that_are_not_fitted_stay() -> None:
    weights = fit_weights([*list_players(build_photo((0.1, 0.8, 0.05, 0.05)), NET)], NET, [ORANGE])
    for colour in set(UNTAUGHT_COLOURS) - {ORANGE}:
        assert weights.untaught[colour] == load_colour_weights().untaught[colour]


def test_players_of_one_such_colour_count_together() -> None:
    photo = build_photo((0.05, 0.9, 0.03, 0.02))
    players = [*list_players(photo, NET)]
    orange = [player for player in players if player.colour == ORANGE]
    of_all = compute_mean_nats(players, NET, load_colour_weights(), [ORANGE])
    others = compute_mean_nats([p for p in players if p.colour != ORANGE], NET, load_colour_weights(), [ORANGE])
    alone = compute_mean_nats(orange, NET, load_colour_weights(), [])
    assert of_all == pytest.approx((1 - PLAYERS_SHARE) * others + PLAYERS_SHARE * alone)
    assert compute_mean_nats([*players, *orange], NET, load_colour_weights(), [ORANGE]) == pytest.approx(of_all)


def test_a_row_tells_what_it_rests_on() -> None:
    row, renamed = fit_rows([build_photo((0.05, 0.9, 0.03, 0.02))], NET, [ORANGE])
    assert (row.name, row.values["players"], row.values[ORANGE], row.values["misnamed"]) == (ORANGE, 3, 1, 0)
    assert renamed.name == "renamed_wrongly"
    with pytest.raises(ValueError, match=ORANGE):
        fit_rows([build_photo((0.1, 0.8, 0.05, 0.05), ("red", "black"))], NET, [ORANGE])


def test_a_player_whom_the_net_misnames_is_rightly_renamed() -> None:
    photo = build_photo((0.005, 0.985, 0.005, 0.005))
    assert [*list_renamed(photo, NET, load_colour_weights())] in ([], [True])
    assert [*list_renamed(build_photo((0, 1, 0, 0), ("red", "black", "yellow")), NET, load_colour_weights())] == []


@needs_shared
@pytest.mark.soak
def test_real_grey_pieces_are_collected() -> None:
    truth = load_truth(SHARED / "labels" / "kpm_57.json")
    reader = Reader()
    net_colours = reader.piece_reader.names.colours[: -len(UNTAUGHT_COLOURS)]
    photo = collect_pieces(reader, truth, SHARED / "photos" / "failing" / "kpm_57.jpg", net_colours)
    assert sorted(photo.colours.values()) == sorted(meeple.placed.colour for meeple in truth.meeples)
    assert photo.net_odds.shape == (len(photo.pieces), len(net_colours))
    assert photo.net_odds.sum(axis=1) == pytest.approx(1)
