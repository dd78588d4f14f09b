"""The colour of a player of a printed board is asked with a picture, and answered in a real browser."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from playwright.sync_api import expect

from scoring.player_colours import NOBODY
from scoring.tower_of_babel.game import GAME
from tests.api.page.babel import LAID, held
from tests.api.page.browser import ON_PHONE_AND_DESKTOP
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.page.holding import READING, holding, kept_by_browser
from tests.api.serving import Running
from tests.scoring.tower_of_babel.tables import COPY
from vision.enrolment.games import GameEnrolment, GameEnrolments


@pytest.fixture
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Start a real server with a table whose yellow player may be the green one, and whose blue one may be none."""
    folder = tmp_path_factory.mktemp("babel")
    GameEnrolments(folder / "games").save(GameEnrolment(GAME.name, COPY))
    with holding(
        held().model_copy(update={"renames": (({"yellow": "green"}, 0.4), ({"blue": NOBODY}, 0.5))}), folder
    ) as started:
        yield started


@pytest.mark.soak
@ON_PHONE_AND_DESKTOP
def test_a_whole_player_is_given_another_colour_or_answered_away(
    server: Running, opened: Open, device: Mapping[str, Any]
) -> None:
    page = opened(f"{server.url}/r/{READING}", device, kept_by_browser(server))
    page.get_by_role("button", name="Show me").click()
    card = page.locator(".question-card", has_text="Which colour is this player?")
    expect(card.locator("h2")).to_have_text("Which colour is this player?")
    expect(card.locator("canvas")).to_have_count(1)
    expect(card.locator(".ask-about")).to_contain_text("yellow")
    card.get_by_role("button", name="green").click()
    expect(card.locator(".ask-about")).to_contain_text("blue")
    report = server.client.get(f"/v1/readings/{READING}").raise_for_status().json()["report"]
    assert report["rules"]["players"] == ["red", "green", "blue"]
    values = {spot["id"]: spot["value"] for spot in report["board"]["spots"]}
    assert values["parts.giza.green.1"] == LAID["parts.giza.yellow.1"]
    assert values["track.green"] == LAID["track.yellow"]
    assert [doubt["player"] for doubt in report["doubts"] if doubt["player"]] == ["blue"]
    card.get_by_role("button", name="blue did not play").click()
    expect(card).to_have_count(0)
    report = server.client.get(f"/v1/readings/{READING}").raise_for_status().json()["report"]
    assert report["rules"]["players"] == ["red", "green"]
    assert not [spot["id"] for spot in report["board"]["spots"] if "blue" in spot["id"]]
    assert not [doubt for doubt in report["doubts"] if doubt["player"]]
    assert faults(page) == []
