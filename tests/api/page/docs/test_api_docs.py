"""The page of the API's document: all of it from this host, under the policy that all pages have."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.api.page.conftest import Open
from tests.api.serving import Running


def test_the_document_is_read_and_tried(server: Running, opened: Open) -> None:
    page = opened(f"{server.url}/docs")  # its `watch` fails if another host is asked, or the policy broken
    expect(page.locator("#operations-readings-create_reading")).to_contain_text("/v1/readings")
    rules = page.locator("#operations-catalogue-get_rules")
    rules.locator("button.opblock-summary-control").click()
    rules.get_by_role("button", name="Try it out").click()
    rules.get_by_role("button", name="Execute").click()
    expect(rules.locator(".live-responses-table")).to_contain_text('"C3"')
