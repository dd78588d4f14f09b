"""The page's words: the same in every language, and every word that a module uses exists."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest

from api.advice import PAGE_ERRORS, list_error_classes, list_own_codes
from api.i18n import read_fluent_texts
from api.languages import LANGUAGES
from api.page.phrases import Tree, load_phrases
from api.page.site import select_words

PAGE = Path(__file__).parents[3] / "api" / "page"
SEVERAL = re.compile(r"[.:;?] ")
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
def test_no_message_is_defined_twice(language: str) -> None:
    names = Counter(re.findall(r"^([\w-]+) =", "\n".join(read_fluent_texts(language)), re.MULTILINE))
    assert [name for name, times in names.items() if times > 1] == []


def test_every_message_that_a_module_or_template_uses_exists() -> None:
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


@pytest.mark.parametrize("first", ["start", "event", "reading", "board", "keep", "game"])
def test_every_page_has_the_messages_of_its_modules(first: str) -> None:
    words = select_words(load_phrases("en"), f"{first}.html")
    modules = list_modules(PAGE / "static" / "pages" / f"{first}.js")
    asked = {(file.name, word) for file in modules for word in ASKED.findall(file.read_text(encoding="utf-8"))}
    assert len(modules) > 5
    assert {(name, word) for name, word in asked if word not in words} == set()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_error_says_what_to_try(language: str) -> None:
    phrases = load_phrases(language)
    kinds = {kind for root in PAGE_ERRORS for kind in list_error_classes(root)}
    codes = {code for kind in kinds for code in list_own_codes(kind)} | {"offline", "bad_answer"}
    assert len(codes) > 200
    single = [code for code in codes if isinstance(text := phrases[f"error-{code}"], str) and not SEVERAL.search(text)]
    assert single == [], "one clause states what is wrong, not what to do"


def test_no_error_is_given_advice_beside_its_own() -> None:
    """A text of several clauses either says what to try itself, which its class states, or has advice of its code."""
    for kind in {kind for root in PAGE_ERRORS for kind in list_error_classes(root)}:
        for code in vars(kind).get("advised", ()):
            assert code.partition("-")[0] in list_own_codes(kind)
            text = load_phrases("en")[f"error-{code}"]
            assert isinstance(text, str), f"{code} got advice"
    assert isinstance(load_phrases("en")["error-square_empty"], list)


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
