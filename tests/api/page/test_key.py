"""The key of a server that asks for one, and the page's words."""

from __future__ import annotations

import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page

from api.i18n import read_fluent_texts
from api.languages import LANGUAGES
from api.page.phrases import Tree, load_phrases
from api.page.site import select_words
from api.server.tokens import hash_secret
from tests.api.page.browser import DESKTOP, PHONE, Watch, chromium_path
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import faults
from tests.api.serving import LEVEL, running

KEY = "a long and secret text"
LARGE_BYTES = 24 * 2**20
"""Enough bytes that they are still being sent when the server refuses them."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Return the address of a server that requires a key."""
    chromium_path()
    with running(tmp_path_factory.mktemp("guarded"), readers=1, api_keys=hash_secret(KEY)) as server:
        yield server.url


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """Return a large file that is no photo."""
    (tmp_path / "large.jpg").write_bytes(os.urandom(LARGE_BYTES))
    return tmp_path / "large.jpg"


@pytest.fixture
def watch(address: str) -> Watch:
    """Watch for requests to other hosts alone: the browser itself logs each refusal as a fault."""
    return Watch(address.removeprefix("http://"))


def asked(page: Page) -> Locator:
    """Return the sheet that asks for a key."""
    sheet = page.get_by_role("dialog", name="API key")
    sheet.wait_for()
    return sheet


def give(sheet: Locator, key: str, *, remember: bool = False) -> None:
    """Type a key."""
    sheet.get_by_label("API key", exact=True).fill(key)
    if remember:
        sheet.get_by_role("switch", name="Remember it on this device").check()
    sheet.get_by_role("button", name="Use this key").click()


def kept(page: Page) -> dict[str, str | None]:
    """Return the storage in which the browser keeps a key."""
    script = "(name) => window[name].getItem('wondertally.key')"
    return {name: page.evaluate(script, name) for name in ("sessionStorage", "localStorage")}


@pytest.mark.soak
def test_a_key_is_asked_for_and_kept_for_this_window(opened: Open, address: str, watch: Watch, large: Path) -> None:
    page = opened(address, PHONE)
    page.set_input_files("#gallery", large)
    page.get_by_role("button", name="Count the points").tap()
    assert faults(page) == []
    give(asked(page), "something else")
    page.get_by_text("Unknown key.").wait_for()
    assert kept(page) == {"sessionStorage": None, "localStorage": None}
    give(asked(page), KEY)
    page.locator("#problem:not(:empty)").wait_for()
    assert kept(page) == {"sessionStorage": KEY, "localStorage": None}
    page.reload()
    assert page.get_by_text("This browser keeps an API key").is_visible()
    assert faults(page) == []
    page.get_by_role("button", name="Forget the key").tap()
    assert not page.get_by_text("This browser keeps an API key").is_visible()
    assert kept(page) == {"sessionStorage": None, "localStorage": None}
    assert [fault for fault in watch.faults if "another host" in fault] == []


@pytest.mark.soak
def test_without_a_key_nothing_is_sent_again(opened: Open, address: str, large: Path) -> None:
    page = opened(address)
    page.set_input_files("#gallery", large)
    page.get_by_role("button", name="Count the points").click()
    asked(page).get_by_role("button", name="Close").click()
    page.get_by_text("A key is needed for this.").wait_for()
    assert not page.locator("#choose").evaluate("(element) => element.inert")


@pytest.mark.soak
def test_a_remembered_key_reads_a_photo_and_teaches_a_set(opened: Open, address: str) -> None:
    page = opened(address, DESKTOP)
    page.set_input_files("#gallery", LEVEL)
    page.get_by_role("button", name="Count the points").click()
    give(asked(page), KEY, remember=True)
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    assert kept(page) == {"sessionStorage": None, "localStorage": KEY}
    page.evaluate("localStorage.removeItem('wondertally.key')")
    page.reload()
    page.get_by_role("button", name="Enrol this set").click()
    sheet = page.get_by_role("dialog", name="Enrol this set")
    sheet.get_by_text("You need an API key to enrol anything").wait_for()
    sheet.get_by_role("button", name="Enter an API key").click()
    give(asked(page), KEY)
    sheet.get_by_role("button", name="Enrol this set").click()
    sheet.get_by_text("Learnt: test_level").wait_for()


PAGE = Path(__file__).parents[3] / "api" / "page"
ASKED = re.compile(r"""\bsay\(\s*["']([\w-]+)["']""")


def slots(tree: Tree) -> Iterator[str]:
    """Return the slots of a text."""
    if isinstance(tree, list):
        for part in tree:
            yield from slots(part)
    elif isinstance(tree, dict):
        yield from (tree[key] for key in ("v", "s") if key in tree)
        for part in tree.get("c", {}).values():
            yield from slots(part)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_same_messages_with_the_same_slots(language: str) -> None:
    phrases, english = load_phrases(language), load_phrases("en")
    assert phrases.keys() == english.keys()
    for name, tree in english.items():
        assert set(slots(phrases[name])) == set(slots(tree)), name


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_message_is_said_twice(language: str) -> None:
    names = Counter(re.findall(r"^([\w-]+) =", "\n".join(read_fluent_texts(language)), re.MULTILINE))
    assert [name for name, times in names.items() if times > 1] == []


def test_every_word_that_a_module_or_template_asks_for_is_there() -> None:
    files = [*PAGE.glob("static/*/*.js"), *PAGE.glob("templates/*.html")]
    file_by_name = {name: file.name for file in files for name in ASKED.findall(file.read_text(encoding="utf-8"))}
    assert len(file_by_name) > 100
    assert {name: file for name, file in file_by_name.items() if name not in load_phrases("en")} == {}


IMPORTED = re.compile(r"""(?:from |import\()"(\.{1,2}/[\w/-]+\.js)\"""")


def list_modules(first: Path) -> set[Path]:
    """List the modules that one needs, itself among them, at once or later."""
    known, left = set[Path](), [first]
    while left:
        if (file := left.pop().resolve()) not in known:
            known.add(file)
            left.extend(file.parent / name for name in IMPORTED.findall(file.read_text(encoding="utf-8")))
    return known


@pytest.mark.parametrize("first", ["start", "event", "reading", "board", "keep"])
def test_every_page_has_the_words_of_its_modules(first: str) -> None:
    words = select_words(load_phrases("en"), f"{first}.html")
    modules = list_modules(PAGE / "static" / "pages" / f"{first}.js")
    asked = {(file.name, word) for file in modules for word in ASKED.findall(file.read_text(encoding="utf-8"))}
    assert len(modules) > 5
    assert {(name, word) for name, word in asked if word not in words} == set()


@pytest.mark.parametrize(
    ("language", "n", "text"),
    [
        ("en", "one", "{n} tile"),
        ("en", "other", "{n} tiles"),
        ("ro", "few", "{n} cartonașe"),
        ("ro", "other", "{n} de cartonașe"),
    ],
)
def test_numbers_have_their_plural(language: str, n: str, text: str) -> None:
    tree = load_phrases(language)["tiles"]
    assert isinstance(tree, dict)
    assert "".join(part if isinstance(part, str) else f"{{{part['v']}}}" for part in tree["c"][n]) == text
