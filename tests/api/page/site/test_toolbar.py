"""The toolbar of a reading on a phone: its labels are readable and keep apart in every language."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.api.page.browser import PHONE
from tests.api.page.conftest import Made, Open

LABELS = """spans => spans.map(span => {
  const {left, right, top} = span.getBoundingClientRect();
  return [left, right, top, parseFloat(getComputedStyle(span).fontSize)];
})"""


@pytest.mark.parametrize("locale", ["en-GB", "de-DE", "ro-RO"])
def test_labels_of_the_toolbar_keep_apart_on_a_phone(reading: Made, opened: Open, locale: str) -> None:
    page = opened(reading.url, PHONE, reading.kept, locale=locale)
    page.wait_for_selector("#result:not([hidden])")
    labels = sorted(page.locator(".tools button span").evaluate_all(LABELS))
    assert len(labels) == 6
    assert len({top for *_, top, _ in labels}) == 1
    gaps = [right[0] - left[1] for left, right in pairwise(labels)]
    assert min(gaps) >= labels[0][3] / 2, gaps
    assert labels[0][0] >= 0
    assert labels[-1][1] <= PHONE["viewport"]["width"]
