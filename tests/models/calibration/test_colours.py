"""The number of pieces that the net's scores count as is recovered; a real player's pieces are collected."""

from __future__ import annotations

import numpy as np
import pytest

from models.calibration.colours import (
    RARE_SHARE,
    NamedPieces,
    collect_pieces,
    compute_mean_nats,
    fit_net_pieces,
    fit_rows,
    list_players,
    list_renamed,
)
from tests.readers import reader
from tests.scoring.outside import SHARED, needs_shared
from vision.colour.illumination import compute_usual_paints, illuminate_paints
from vision.evaluation.labels import load_truth
from vision.reading.piece import Piece

NAMES = ("red", "yellow", "black", "white", "orange")
ORANGE = "orange"


def build_photo(said_of_orange: str, players: tuple[str, ...] = ("red", "black", ORANGE)) -> NamedPieces:
    """Return three pieces of each player in even light: the net calls orange ones so, and is right about all others."""
    names = [name for name in players for _ in range(3)]
    paints = dict(zip(players, illuminate_paints(compute_usual_paints(players), np.zeros(3)), strict=True))
    said = [said_of_orange if name == ORANGE else name for name in names]
    odds = [np.array([0.96 if name == other else 0.01 for other in NAMES]) for name in said]
    pieces = [
        Piece((float(i), 0.0), 0.99, odds[i], np.ones(1), paint=paints[name], said=odds[i])
        for i, name in enumerate(names)
    ]
    return NamedPieces(pieces, dict(enumerate(names)))


def test_a_correct_net_counts_more_than_a_wrong_one() -> None:
    right, wrong = (fit_net_pieces([*list_players(build_photo(said), NAMES)], NAMES) for said in (ORANGE, "yellow"))
    assert right > 5 > wrong


def test_players_of_one_rare_colour_count_together() -> None:
    players = [*list_players(build_photo("yellow"), NAMES)]
    orange = [player for player in players if player.colour == ORANGE]
    of_all = compute_mean_nats(players, NAMES, 1.0)
    others = compute_mean_nats([player for player in players if player.colour != ORANGE], NAMES, 1.0)
    alone = compute_mean_nats(orange, NAMES, 1.0) / RARE_SHARE
    assert of_all == pytest.approx((1 - RARE_SHARE) * others + RARE_SHARE * alone)
    assert compute_mean_nats([*players, *orange], NAMES, 1.0) == pytest.approx(of_all)


def test_a_row_states_the_cases_it_was_fitted_on() -> None:
    row, renamed, rare = fit_rows([build_photo(ORANGE)], NAMES)
    assert (row.name, row.values["players"], row.values["misnamed"]) == ("player", 3, 0)
    assert renamed.name == "renamed_wrongly"
    assert (rare.name, rare.values["so"]) == ("rare_misnamed", 0)
    with pytest.raises(ValueError, match="several players"):
        list(fit_rows([build_photo(ORANGE, (ORANGE,))], NAMES))


def test_a_player_whom_the_net_misnames_is_rightly_renamed() -> None:
    assert [*list_renamed(build_photo("yellow"), NAMES)] in ([], [True])
    assert [*list_renamed(build_photo(ORANGE, ("red", "black", "yellow")), NAMES)] == []


@needs_shared
@pytest.mark.soak
def test_real_grey_pieces_are_collected() -> None:
    truth = load_truth(SHARED / "labels" / "kpm_57.json")
    own = reader()
    photo = collect_pieces(own, truth, SHARED / "photos" / "failing" / "kpm_57.jpg")
    assert sorted(photo.colours.values()) == sorted(meeple.placed.colour for meeple in truth.meeples)
    assert {len(piece.said) for piece in photo.pieces} == {len(own.piece_reader.names.colours)}
