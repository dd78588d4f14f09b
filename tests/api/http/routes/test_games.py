"""Games kept by their photos: each is read once, in order, and the log follows from them and the corrections."""

from __future__ import annotations

import pytest

from tests.api.http.growing import KeptGame
from tests.api.serving import Running


@pytest.fixture(scope="module")
def game(server: Running) -> KeptGame:
    """Return a game of three photos, one of them sent twice."""
    kept = KeptGame(server, on_turn="blue", points={"blue": 4, "red": 2})
    statuses = [kept.send(number).status_code for number in (0, 1, 1, 2)]
    assert statuses == [201, 201, 200, 201]
    return kept


def test_each_photo_counts_once_in_the_order_in_which_they_came(game: KeptGame) -> None:
    kept = game.follow()
    assert [(photo["number"], photo["status"], photo["place"]) for photo in kept["photos"]] == [
        (1, "read", 0),
        (2, "read", 1),
        (3, "read", 2),
    ]
    assert [photo["file"] for photo in kept["log"]["photos"]] == ["photo 1", "photo 2", "photo 3"]
    assert kept["log"]["scores"][0]["likeliest"] == {"blue": 4, "red": 2}
    tiles = [sum(len(move["tiles"]) for move in stretch["moves"]) for stretch in kept["log"]["stretches"]]
    assert tiles == [2, 2]
