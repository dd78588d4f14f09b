"""Every number set by hand in `vision` states its origin, and their count and the guesses among them never rise."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[2]
MAX_NUMBERS = 636
"""Constants with a number in `vision`: lower it with each one that is derived, shared or removed."""
MAX_GUESSES = 435
"""Guesses among them: lower it with each one that is measured or fitted."""

NET = re.compile(r"\bGeometry of the net\b")
"""A shape that a net was trained with, which no person sets."""
GUESS = re.compile(r"\b[Aa] guess\b")
ORIGINS = (
    re.compile(r"\bFitted by `python -m "),
    re.compile(r"\bMeasured\b"),
    re.compile(r"\b[Bb]y the rules?\b"),
    re.compile(r"\bGeometry of (the|a)\b"),
    re.compile(r"\bBounds (time|memory)\b"),
)
"""All origins of a number but a guess: a command, a measurement, a rule, a print or piece, a bound of resources."""
NO_NUMBERS = {0, 1}
"""Integers that are no numbers set by hand: indices, signs, steps of a lattice, missing values (-1), flags."""
SHAPES = {"zeros", "ones", "eye", "empty", "full"}
"""Functions of NumPy whose first argument is the shape of an array."""


class Number(NamedTuple):
    """A constant of a module whose value holds a number, with its docstring."""

    file: str
    line: int
    name: str
    docstring: str

    @property
    def has_origin(self) -> bool:
        return bool(GUESS.search(self.docstring)) or any(origin.search(self.docstring) for origin in ORIGINS)

    @property
    def is_guess(self) -> bool:
        """Whether it is a guess, or states no origin; a measurement that leaves a guess is one."""
        return bool(GUESS.search(self.docstring)) or not self.has_origin


def find_numbers(source: str, file: str = "") -> Iterator[Number]:
    """Yield the constants of a module whose value holds a number set by hand."""
    body = ast.parse(source).body
    for statement, after in zip(body, [*body[1:], None], strict=True):
        match statement:
            case ast.Assign(targets=[target], value=value) | ast.AnnAssign(target=target, value=ast.expr() as value):
                names = [node.id for node in ast.walk(target) if isinstance(node, ast.Name)]
            case _:
                continue
        docstring = ""
        if isinstance(after, ast.Expr) and isinstance(after.value, ast.Constant):
            docstring = " ".join(str(after.value.value).split())
        if holds_number(value) and not NET.search(docstring):
            for name in names:
                if re.fullmatch(r"_?[A-Z][A-Z0-9_]*", name):
                    yield Number(file, statement.lineno, name, docstring)


def holds_number(value: ast.AST) -> bool:
    """Return whether an expression holds a literal that a person set: no index, shape or member of `NO_NUMBERS`."""
    match value:
        case ast.Constant(value=number):
            return type(number) is float or (type(number) is int and number not in NO_NUMBERS)
        case ast.Subscript(value=of):
            return holds_number(of)
        case ast.Call(func=ast.Attribute(attr=name), args=[_, *rest], keywords=keywords) if name in SHAPES:
            return any(holds_number(part) for part in [*rest, *keywords])
        case _:
            return any(holds_number(part) for part in ast.iter_child_nodes(value))


def find_all() -> list[Number]:
    """Return the numbers of all modules of `vision`."""
    files = sorted((ROOT / "vision").rglob("*.py"))
    return [
        number
        for file in files
        for number in find_numbers(file.read_text(encoding="utf-8"), file.relative_to(ROOT).as_posix())
    ]


def test_every_number_states_its_origin() -> None:
    missing = [each for each in find_all() if not each.has_origin]
    lines = [f"{each.file}:{each.line} {each.name}" for each in missing]
    assert not lines, (
        "End the docstring of each with its origin: 'Fitted by `python -m ...`.', 'Measured: ...', 'By the rules.', "
        f"'Geometry of the ...', 'Bounds time.', 'Bounds memory.' or 'A guess.': {lines}"
    )


def test_the_counts_of_numbers_and_guesses_never_rise() -> None:
    numbers = find_all()
    guesses = sum(number.is_guess for number in numbers)
    for name, count, bound in (("MAX_NUMBERS", len(numbers), MAX_NUMBERS), ("MAX_GUESSES", guesses, MAX_GUESSES)):
        assert count <= bound, (
            f"{name} is {bound}, but there are {count}: derive the new number from others, fit it by a command, "
            "measure it or remove another; never raise the bound"
        )
        assert count == bound, f"{name} is {bound}, but only {count} are left: lower it to {count}"


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("SIZE = 3", ["SIZE"]),
        ("_SHARE: float = 1.0", ["_SHARE"]),
        ("A, B = 0.5, 2", ["A", "B"]),
        ("RANGE = np.geomspace(LEAST, 2.5, COUNT)", ["RANGE"]),
        ("WAYS = {'standing': (0.36,)}", ["WAYS"]),
        ("LEAST = -4.0", ["LEAST"]),
        ("NONE = -1", []),
        ("STEPS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])", []),
        ("NOTHING = np.zeros((0, 128), np.float32)", []),
        ("NAME, FLAG = 'a', True", []),
        ("FOLDER = Path(__file__).parents[2]", []),
        ("SAME = OTHER", []),
        ("lower = 3", []),
        ("def build():\n    SIZE = 3", []),
        ('PLANES = 8\n"""Number of planes. Geometry of the net."""', []),
    ],
)
def test_a_constant_with_a_literal_counts_as_a_number(source: str, names: list[str]) -> None:
    assert [number.name for number in find_numbers(source)] == names


@pytest.mark.parametrize(
    ("docstring", "has_origin", "is_guess"),
    [
        ("Size of a tile. A guess.", True, True),
        ("Size of a tile. Measured: 40 on 3 photos.", True, False),
        ("Size of a tile. A guess. Measured: 40 on 3 photos.", True, True),
        ("Maximum number of players. By the rules.", True, False),
        ("Weight. Fitted by `python -m models.calibration.doubt`.", True, False),
        ("Maximum number of boards. Bounds time.", True, False),
        ("Size of a tile.", False, True),
        ("Size of a tile, guessed.", False, True),
    ],
)
def test_a_docstring_states_an_origin_in_fixed_words(docstring: str, has_origin: bool, is_guess: bool) -> None:
    (number,) = find_numbers(f'SIZE = 3\n"""{docstring}"""')
    assert (number.has_origin, number.is_guess) == (has_origin, is_guess)
