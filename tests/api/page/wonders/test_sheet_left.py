"""The sheet that enrols a wonder, and files, in a real browser: no edit is lost unasked, an error names its place."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from api.i18n import load_words
from api.languages import LANGUAGES
from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.serving import Running

FILE = Path(__file__).parents[4] / "scoring" / "carcassonne" / "data" / "wonder_alhambra.toml"


def open_wonders(page: Page, words: str = load_words("en").say("wonders-open")) -> Locator:
    page.get_by_role("button", name=words).click()
    sheet = page.locator("dialog.sheet-dialog")
    sheet.locator(".wonder-list").wait_for()
    return sheet


def open_stonehenge(page: Page) -> Locator:
    open_wonders(page).get_by_role("button", name=load_words("en").say("wonder-look-at", wonder="Stonehenge")).click()
    sheet = page.get_by_role("dialog", name="Stonehenge: your copy")
    sheet.wait_for()
    return sheet


def change_end(sheet: Locator) -> str:
    """Tap the first end, and return its new kind."""
    end = sheet.locator("[data-end]").first
    before = end.get_attribute("class")
    end.click()
    expect(end).not_to_have_class(before or "")
    return end.get_attribute("class") or ""


@pytest.mark.parametrize(
    "way", ["Escape twice", *(pytest.param(way, marks=pytest.mark.soak) for way in ("Escape", "Close", "beside it"))]
)
def test_edits_are_discarded_only_after_confirmation(way: str, server: Running, opened: Open) -> None:
    page = opened(server.url)
    sheet = open_stonehenge(page)
    changed = change_end(sheet)
    question = page.get_by_role("dialog", name="Discard your changes?")

    def leave() -> None:
        if way.startswith("Escape"):
            page.keyboard.press("Escape")
        elif way == "Close":
            sheet.get_by_role("button", name="Close").click()
        else:
            page.mouse.click(3, 3)

    leave()
    expect(question).to_be_visible()
    assert faults(page) == []
    if way == "Escape twice":
        page.keyboard.press("Escape")
    else:
        question.get_by_role("button", name="Keep editing").click()
    expect(question).to_have_count(0)
    expect(sheet).to_be_visible()
    assert sheet.locator("[data-end]").first.get_attribute("class") == changed
    leave()
    question.get_by_role("button", name="Discard them").click()
    expect(sheet).to_have_count(0)
    expect(question).to_have_count(0)


def test_a_sheet_without_edits_closes_at_once(server: Running, opened: Open) -> None:
    page = opened(server.url)
    sheet = open_stonehenge(page)
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)
    sheet = open_stonehenge(page)
    change_end(sheet)
    sheet.get_by_role("button", name="Undo").click()
    page.keyboard.press("Escape")
    expect(sheet).to_have_count(0)


@pytest.mark.parametrize(
    ("language", "former", "spoilt", "code", "places"),
    [
        (
            *("en", 'id = "WH/alhambra"', 'id = "WH/alhambra"\nnever here', "bad_toml"),
            {"place-line": {"line": 2, "column": 7}},
        ),
        ("de", "marker = [", "marker = 7 # [", "bad_value", {"place-key": {"key": "marker"}}),
        ("ro", "cities = [", "edges = 1\ncities = [", "unknown_key", {"place-key": {"key": "edges"}}),
    ],
)
def test_an_error_in_a_file_names_its_place(
    former: str,
    spoilt: str,
    code: str,
    places: dict[str, dict[str, str | int]],
    language: str,
    server: Running,
    opened: Open,
    watch: Watch,
    tmp_path: Path,
) -> None:
    page, words = opened(server.url, PHONE, locale=language), load_words(language)
    sheet = open_wonders(page, words.say("wonders-open"))
    file = tmp_path / "mine.toml"
    text = FILE.read_text(encoding="utf-8")
    assert former in text
    file.write_text(text[text.index('id = "WH') :].replace(former, spoilt, 1), encoding="utf-8")
    sheet.locator("input[type=file][accept='.toml']").set_input_files(file)
    place = ", ".join(words.say(name, **values) for name, values in places.items())
    expect(sheet.locator(".wonder-upload .sheet-error")).to_contain_text(
        words.say("error-where", error=words.say(f"error-{code}"), place=place)
    )
    watch.faults.clear()  # the browser itself logs the refusal


@pytest.mark.parametrize(
    "language", ["de", *(pytest.param(one, marks=pytest.mark.soak) for one in LANGUAGES if one != "de")]
)
def test_a_damaged_wonder_is_reported_and_can_be_undone(language: str, server: Running, opened: Open) -> None:
    folder = server.data / "wonders" / "alhambra.toml"
    folder.mkdir(parents=True)
    page, words = opened(server.url, PHONE, locale=language), load_words(language)
    row = open_wonders(page, words.say("wonders-open")).locator("[data-wonder='WH/alhambra']")
    expect(row.locator("small")).to_have_text(words.say("error-bad_enrolment-wonder"))
    row.get_by_role("button").click()
    expect(row.locator("small")).to_have_text(words.say("wonder-source-shipped"))
    assert not folder.exists()
