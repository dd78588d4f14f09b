"""A browser's answer for unknown addresses: 404, with a page of the site."""

from __future__ import annotations

import httpx2 as httpx
import pytest

from tests.api.page.browser import Watch
from tests.api.page.conftest import Open
from tests.api.page.hands import faults
from tests.api.serving import error_in

HTML = {"Accept": "text/html,application/xhtml+xml"}


@pytest.mark.parametrize(
    ("path", "title", "locale"),
    [
        ("/r/nosuchreading", "This reading is gone", "en-GB"),
        ("/event/nosuchevent", "Dieses Turnier gibt es nicht mehr", "de-DE"),
        ("/no/such/page", "Pagina nu există", "ro-RO"),
    ],
)
def test_what_is_not_there_is_404_with_a_page_that_says_so(
    opened: Open, address: str, watch: Watch, path: str, title: str, locale: str
) -> None:
    assert httpx.get(address + path, headers=HTML).status_code == 404
    page = opened("about:blank", locale=locale)
    page.goto(address + path)
    assert page.locator("h1").inner_text() == title
    assert faults(page) == []
    page.locator("main a.button").click()
    page.locator("#choose").wait_for()
    watch.faults.clear()  # the browser itself logs the status


def test_the_language_can_be_chosen_there(address: str) -> None:
    with httpx.Client(follow_redirects=True, headers=HTML) as client:
        assert client.get(f"{address}/nowhere?language=de").headers["content-language"] == "de"


def test_programs_get_the_one_shape_of_errors(address: str) -> None:
    assert error_in(httpx.get(f"{address}/nowhere"), 404)["code"] == "not_found"
    assert error_in(httpx.get(f"{address}/v1/nowhere", headers=HTML), 404)["code"] == "not_found"
