"""The fitted rate at which players take points that a meeple in hand brings at once."""

from __future__ import annotations

import pytest

from models.calibration.board.taking import Offer, fit_rows, list_offers
from models.calibration.file import TooFewCasesError
from tests.scoring.history import log
from tests.scoring.outside import needs_shared

START = {"players": ["blue", "red"], "start": {"tile": "BA/RFr", "turns": 0}}


def lay(player: str, square: tuple[int, int], tile: str, turns: int, meeple: str | None) -> dict[str, object]:
    x, y = square
    return {"player": player, "x": x, "y": y, "tile": tile, "turns": turns, "meeple": meeple}


@needs_shared
def test_the_real_game_has_six_offers_all_taken() -> None:
    offers = [*list_offers(log())]
    assert [offer.is_taken for offer in offers] == [True] * 6
    (row,) = fit_rows([log()])
    assert row.fitted_on == {"offers": 6, "taken": 6}


def test_offers_left_alone_lower_the_rate() -> None:
    """Both ends of a road are closed: its points are there for a meeple set last."""
    close = [lay("blue", (1, 0), "BA/RRRR", 0, None), lay("red", (-1, 0), "BA/RRRR", 0, "road:E")]
    left = [close[0], {**close[1], "meeple": None}]
    assert [*list_offers({**START, "moves": close})] == [Offer(3, is_taken=True)]
    assert [*list_offers({**START, "moves": left})] == [Offer(3, is_taken=False)]
    rates = [next(fit_rows([{**START, "moves": moves}])).fitted["per_point"] for moves in (close, left)]
    assert rates[0] > 0 == rates[1]


def test_a_game_without_offers_fits_nothing() -> None:
    with pytest.raises(TooFewCasesError):
        next(fit_rows([{**START, "moves": []}]))
