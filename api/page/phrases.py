"""The page's words for its modules: each message of the .ftl files as a small tree of JSON.

A string is a text; a list is a sequence of parts; `{"v": name}` is a value to fill in; `{"m": id}` is another message;
`{"s": name, "c": {key: tree}, "d": key}` selects by a value to fill in: by the value itself, then by its plural
category, else the key `d`. `static/lib/words.js` reads them.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from fluent.syntax import FluentParser, ast

from api.advice import find_page_advice
from api.i18n import read_fluent_texts

Tree = str | list[Any] | dict[str, Any]


SERVER_ONLY = ("explain-", "move-", "moves-", "printed-", "role-", "sheet-")
"""Prefixes of messages used only on the server: on sheets, and in texts it sends ready-made."""


@cache
def load_phrases(language: str) -> Mapping[str, Tree]:
    """Load every message of a language that a page may use, by its id."""
    parser, phrases = FluentParser(with_spans=False), dict[str, Tree]()
    for text in read_fluent_texts(language):
        phrases |= _convert_messages(parser.parse(text).body)
    phrases |= _add_advice(phrases)
    return {name: tree for name, tree in phrases.items() if not name.startswith(SERVER_ONLY)}


def _add_advice(phrases: Mapping[str, Tree]) -> dict[str, Tree]:
    """Add advice to the text of each error that has none."""
    advised = dict[str, Tree]()
    for name, text in phrases.items():
        error = name.removeprefix("error-")
        if error != name and isinstance(text, str) and (advice := find_page_advice(error, phrases)):
            advised[name] = [text, " ", {"m": advice}]
    return advised


def _convert_messages(entries: Iterable[ast.EntryType]) -> dict[str, Tree]:
    return {
        entry.id.name: _convert_pattern(entry.value)
        for entry in entries
        if isinstance(entry, ast.Message) and entry.value is not None
    }


def _convert_pattern(pattern: ast.Pattern) -> Tree:
    parts = [_convert_element(element) for element in pattern.elements]
    return parts[0] if len(parts) == 1 else parts


def _convert_element(element: ast.TextElement | ast.Placeable) -> Tree:
    return element.value if isinstance(element, ast.TextElement) else _convert_expression(element.expression)


def _convert_expression(expression: Any) -> Tree:
    match expression:
        case ast.Placeable(expression=inner):
            return _convert_expression(inner)
        case ast.StringLiteral():
            return str(expression.parse()["value"])
        case ast.NumberLiteral(value=value):
            return str(value)
        case ast.VariableReference(id=name):
            return {"v": name.name}
        case ast.MessageReference(id=name):
            return {"m": name.name}
        case ast.FunctionReference(arguments=given):
            return _convert_expression(given.positional[0])
        case ast.SelectExpression(selector=selector, variants=variants):
            return _convert_choice(selector, variants)
    raise ValueError(f"{type(expression).__name__} is not for the page's words")


def _convert_choice(selector: Any, variants: list[ast.Variant]) -> Tree:
    slot = _convert_expression(selector)
    if not isinstance(slot, dict) or "v" not in slot:
        raise ValueError("words are picked by what is filled in alone")
    keys = {_get_variant_key(variant): _convert_pattern(variant.value) for variant in variants}
    return {"s": slot["v"], "c": keys, "d": next(_get_variant_key(variant) for variant in variants if variant.default)}


def _get_variant_key(variant: ast.Variant) -> str:
    return variant.key.name if isinstance(variant.key, ast.Identifier) else str(variant.key.value)
