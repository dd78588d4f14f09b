"""Photos that the server would refuse unchanged: the page makes them fit before it sends them."""

from __future__ import annotations

from pathlib import Path

import pillow_heif
from PIL import Image
from playwright.sync_api import Page

from tests.api.page.browser import PHONE
from tests.api.page.conftest import READ_MS, Open
from tests.api.serving import LEVEL
from vision.photo.decoding import MAX_PIXELS


def test_too_many_pixels_are_made_fewer_before_they_are_sent(opened: Open, address: str, tmp_path: Path) -> None:
    wide, high = 9000, 8000
    assert wide * high > MAX_PIXELS
    Image.new("RGB", (wide, high), "grey").save(tmp_path / "large.png")
    page = opened(address, PHONE)
    page.set_input_files("#gallery", tmp_path / "large.png")
    with page.expect_response("**/v1/readings", timeout=READ_MS) as answer:
        page.get_by_role("button", name="Count the points").click()
    assert answer.value.status == 202
    page.wait_for_selector("#failed:not([hidden])", timeout=READ_MS)
    assert page.locator("#failed-why").inner_text() == "No board was found in the photo."


def count_points(page: Page, photo: Path) -> None:
    """Send a photo of the example table as a person does; its points are shown, and the photo beside them."""
    page.set_input_files("#gallery", photo)
    with page.expect_response("**/v1/readings", timeout=READ_MS) as answer:
        page.get_by_role("button", name="Count the points").click()
    assert answer.value.status == 202
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    assert page.locator("#totals tbody tr").count() > 1
    page.wait_for_function("[...document.querySelectorAll('#result img')].some((photo) => photo.naturalWidth > 300)")


def test_a_picture_that_only_the_browser_can_open_is_read(opened: Open, address: str, tmp_path: Path) -> None:
    with Image.open(LEVEL) as photo:
        photo.save(tmp_path / "table.bmp")
    count_points(opened(address, PHONE), tmp_path / "table.bmp")


def test_a_photo_of_an_iphone_is_read_though_the_browser_cannot_open_it(
    opened: Open, address: str, tmp_path: Path
) -> None:
    with Image.open(LEVEL) as photo:
        pillow_heif.from_pillow(photo).save(tmp_path / "IMG_0001.HEIC", quality=90)
    count_points(opened(address, PHONE), tmp_path / "IMG_0001.HEIC")
