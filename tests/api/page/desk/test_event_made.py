"""An event from its first to its last moment in a real browser: created, filled, checked, shared, deleted."""

from __future__ import annotations

from pathlib import Path

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import expect

from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import PLAYERS, event_of, faults, handed_in, made, named, row, shown_standings
from tests.api.serving import LEVEL


@pytest.fixture(scope="module")
def grey(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a photo of nothing."""
    file = tmp_path_factory.mktemp("grey") / "grey.jpg"
    cv2.imwrite(str(file), np.full((480, 640, 3), 128, np.uint8))
    return file


def test_an_event_is_made_filled_checked_and_deleted_by_keys(address: str, opened: Open, grey: Path) -> None:
    page = named(made(opened, address, "Cup of Cups"), "Zoë")
    event = event_of(page).removeprefix(address)
    expect(page.locator("#event-name")).to_have_text("Cup of Cups")
    expect(page.locator("#card")).to_contain_text("No tables yet")
    assert faults(page) == []
    page.keyboard.press("n")
    expect(page.locator("#round")).to_have_value("1")
    expect(page.locator("#table")).to_have_value("1")
    assert faults(page) == []
    handed_in(page, grey)
    expect(page.locator("#told")).to_have_text("round 1 · table 1: being read.")
    expect(row(page)).to_have_text("not readable", timeout=READ_MS)
    expect(page.locator(".table-card .problem")).not_to_be_empty()
    page.keyboard.press("p")
    page.locator("#photos-of-table").set_input_files(LEVEL)
    assert faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Add photos").click()
    expect(row(page)).to_have_text("being read")
    assert faults(page) == []
    expect(row(page)).to_have_class("state state-doubtful", timeout=READ_MS)
    page.locator(".question-card .answer").first.wait_for()
    page.keyboard.press("y")
    expect(row(page)).to_have_text("checked")
    results = httpx.get(f"{event_of(page)}/results.csv").raise_for_status().text
    assert {line.split(",")[6] for line in results.splitlines()[1:]} >= set(PLAYERS.values())
    acts = httpx.get(f"{event_of(page)}/history").json()["acts"]
    assert [(act["who"], act["what"]) for act in acts] == [("Zoë", "added"), ("Zoë", "added"), ("Zoë", "checked")]
    page.keyboard.press("n")
    expect(page.locator("#table")).to_have_value("2")
    handed_in(page, LEVEL, "1")
    expect(page.locator("#told")).to_have_text("round 1 · table 1: already has these photos.")
    page.get_by_role("button", name="Delete the table").click()
    page.get_by_role("button", name="Delete now").click()
    expect(page.locator("#card")).to_contain_text("No tables yet")
    assert shown_standings(page) == []
    page.get_by_role("button", name="Share").click()
    assert faults(page) == []
    page.get_by_role("dialog").get_by_role("button", name="Delete").click()
    page.get_by_role("button", name="Delete now").click()
    page.locator("#make-event").wait_for()
    assert page.locator("#my-events li").count() == 0
    assert httpx.get(f"{address}{event}").status_code == 404


@pytest.mark.parametrize("locale", ["de-DE", pytest.param("ro-RO", marks=pytest.mark.soak)])
@pytest.mark.soak
def test_on_a_phone_a_helper_adds_a_table_by_the_link(address: str, opened: Open, grey: Path, locale: str) -> None:
    page = made(opened, address, "Pokal", locale=locale)
    page.locator("dialog button[type=submit]").click()
    page.locator("#share").click()
    link = page.locator("#event-link-check").input_value()
    assert page.locator("#event-link").input_value() == page.url
    helper = opened(link, PHONE, locale=locale)
    assert "#" not in helper.url
    helper.locator("#asked-name").fill("Jürgen")
    helper.locator("dialog button[type=submit]").tap()
    helper.locator("#add-table").tap()
    helper.locator("#photos-of-table").wait_for()
    assert faults(helper) == []
    handed_in(helper, grey)
    expect(row(helper)).to_have_class("state state-failed", timeout=READ_MS)
    assert faults(helper) == []
    assert helper.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    expect(row(page)).to_have_class("state state-failed")
    assert httpx.get(f"{event_of(page)}/history").json()["acts"][0]["who"] == "Jürgen"
    page.goto(address)
    page.locator("#my-events a").click()
    expect(page.locator("#event-name")).to_have_text("Pokal")


@pytest.mark.soak
def test_photos_that_are_refused_say_why_and_the_sheet_stays(
    address: str, opened: Open, watch: Watch, tmp_path: Path
) -> None:
    page = named(made(opened, address, "Cup"), "Ana")
    (tmp_path / "no.jpg").write_bytes(b"no picture")
    page.locator("#add-table").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("#photos-of-table").set_input_files(tmp_path / "no.jpg")
    sheet.locator("#name-red").fill("Anna")
    with page.expect_response("**/tables") as answer:
        sheet.locator("#table").press("Enter")
    assert answer.value.status == 415
    expect(sheet.locator(".sheet-error")).to_have_text("The file is not a picture.")
    expect(sheet.locator("#name-red")).to_have_value("Anna")
    assert faults(page) == []
    assert httpx.get(f"{event_of(page)}/tables").json()["tables"] == []
    refused, watch.faults = watch.faults, []
    assert ["415" in fault for fault in refused] == [True]
