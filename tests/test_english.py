"""The English of docstrings and of test names."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("vision", "scoring", "api", "models", "datasets", "tests")
MAX_TEST_NAME = 80

FREE_RELATIVE = re.compile(r"(What|Who|Whom|Whose|Where|Which|Of|So|Whatever|Whoever)\b(?!.*\?$)")
"""The beginning of a sentence that puts a clause in place of a noun; questions are none."""
TELL = re.compile(r"\b(tells?|told|telling|teach(es|ing)?|taught)\b", re.IGNORECASE)
ODD_NAME = re.compile(
    r"test_(what|who|whom|whose|where|which|of|so|that|whatever|whoever)_"
    r"|_(tells?|told|telling|teach|teaches|taught|lessons?)(_|$)"
)
"""A test name that begins with a clause in place of a noun, or uses another word than those of `docs/words.md`."""
ODD_HELP = re.compile(r"(what|who|whose|where|which|of|as|that|how (many|much|often))\b|.*\btaught\b", re.IGNORECASE)
"""The beginning of an option's description that puts a clause in place of a noun."""
_CODE = re.compile(r"`[^`]*`")


def list_docstrings(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each docstring, those of constants included."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef):
            for statement in node.body:
                match statement:
                    case ast.Expr(value=ast.Constant(value=str(text))):
                        yield statement.lineno, text


@cache
def read_texts(file: Path) -> tuple[list[tuple[int, str]], list[tuple[int, str]]]:
    """Return the docstrings of a module, and the descriptions of its options, each with its line."""
    tree = ast.parse(file.read_text(encoding="utf-8"))
    return [*list_docstrings(tree)], [*list_descriptions(tree)]


def split_sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?:])\s+(?=[A-Z`])", " ".join(text.split()))


def find_faults(text: str) -> list[str]:
    """Return the sentences that match either pattern, code in backticks apart."""
    sentences = split_sentences(_CODE.sub("``", text))
    return [sentence for sentence in sentences if FREE_RELATIVE.match(sentence) or TELL.search(sentence)]


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_are_plain_english(package: str) -> None:
    faults = [
        f"{file.relative_to(ROOT)}:{line}: {sentence}"
        for file in sorted((ROOT / package).rglob("*.py"))
        for line, text in read_texts(file)[0]
        for sentence in find_faults(text)
    ]
    assert not faults, "say it with a subject and a verb, and with shows, reads, returns or is:\n" + "\n".join(faults)


@pytest.mark.parametrize(
    ("text", "faults"),
    [
        ("Return the tiles.", 0),
        ("What lies on a table.", 1),
        ("Return the tiles.\n\nWhere none lies there, nothing is returned.", 1),
        ("Find the seams: Of the squares beside them, the nearest.", 1),
        ("A piece tells whose the road is.", 1),
        ("Which tile is it?", 0),
        ("Return `told`.", 0),
        ("If none lies there, nothing is returned.", 0),
    ],
)
def test_faults_of_english_are_found(text: str, faults: int) -> None:
    assert len(find_faults(text)) == faults


def list_descriptions(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the line and text of each option's and command's description."""
    for node in ast.walk(tree):
        match node:
            case ast.keyword(arg="help" | "description", value=ast.Constant(value=str(text)) as constant):
                yield constant.lineno, text
            case ast.keyword(arg="help" | "description", value=ast.JoinedStr() as joined):
                yield (
                    joined.lineno,
                    "".join(str(p.value) if isinstance(p, ast.Constant) else "``" for p in joined.values),
                )


def test_descriptions_of_options_are_plain_english() -> None:
    read = [
        (f"{file.relative_to(ROOT)}:{line}: {text}", text)
        for package in PACKAGES
        for file in sorted((ROOT / package).rglob("*.py"))
        for line, text in read_texts(file)[1]
    ]
    assert len(read) > 100
    assert [where for where, text in read if ODD_HELP.match(text) or find_faults(text)] == []


def test_names_of_tests_are_plain_and_fit_one_line() -> None:
    files = (ROOT / "tests").rglob("test_*.py")
    names = [name for file in files for name in re.findall(r"def (test_\w+)", file.read_text(encoding="utf-8"))]
    assert len(names) > 1000
    assert [name for name in names if len(name) > MAX_TEST_NAME or ODD_NAME.search(name)] == []
