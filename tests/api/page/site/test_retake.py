"""Tips that depend on the photo: the side at which the board is cut off, and one tap to take it again."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Page, expect

from tests.api.page.browser import PHONE
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import faults
from tests.api.serving import EXAMPLES, LEVEL

TABLE = EXAMPLES / "table.jpg"


def send(page: Page, file: Path) -> None:
    page.set_input_files("#gallery", file)
    page.get_by_role("button", name="Count the points").click()
    page.wait_for_url("**/r/*")


@pytest.mark.parametrize(
    ("side", "words"), [("left", "on the left"), pytest.param("right", "on the right", marks=pytest.mark.soak)]
)
def test_a_board_that_is_cut_off_says_at_which_side_and_is_taken_again(
    opened: Open, address: str, tmp_path: Path, side: str, words: str
) -> None:
    with Image.open(TABLE) as photo:
        half = photo.width // 2
        photo.crop((half, 0, photo.width, photo.height) if side == "left" else (0, 0, half, photo.height)).save(
            tmp_path / "half.jpg", quality=92
        )
    page = opened(address, PHONE)
    send(page, tmp_path / "half.jpg")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    tip = page.locator("#retake")
    expect(tip).to_contain_text(words)
    expect(tip).to_contain_text("from farther away")
    assert faults(page) == []
    before = page.url
    tip.locator("input").set_input_files(LEVEL)
    page.wait_for_url(lambda url: "/r/" in url and url != before)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    assert not tip.is_visible()


def test_a_photo_without_a_board_says_what_to_do_and_is_taken_again(opened: Open, address: str, tmp_path: Path) -> None:
    Image.new("RGB", (900, 700), "grey").save(tmp_path / "grey.jpg")
    page = opened(address, PHONE)
    send(page, tmp_path / "grey.jpg")
    page.wait_for_selector("#failed:not([hidden])", timeout=READ_MS)
    tip = page.locator("#failed-tip")
    expect(tip).to_contain_text("the whole board from above")
    assert faults(page) == []
    colours = [tip.locator(part).evaluate("(own) => getComputedStyle(own).color") for part in (".button", ".icon")]
    assert colours[0] == colours[1], "an icon that nobody sees"
    before = page.url
    other = page.context.new_page()
    other.goto(address)
    expect(other.locator("#readings .players").first).to_have_text("not readable")
    other.close()
    tip.locator("input").set_input_files(LEVEL)
    page.wait_for_url(lambda url: "/r/" in url and url != before)
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
