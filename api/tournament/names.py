r"""File names as text: a name that is not UTF-8 is escaped legibly, and restored to the same bytes.

A file name may hold any bytes. Python represents those that are not UTF-8 as lone surrogates, which no text file,
report or database can store. In a batch's texts such a byte is written `\xe9`; a backslash before anything that looks
like an escape is written `\x5c`, so that no two names are written alike.
"""

from __future__ import annotations

import re

_NOT_WRITABLE = re.compile(r"[\udc80-\udcff]|\\(?=x(?:5c|[89a-f][0-9a-f]))")
_ESCAPE = re.compile(r"\\x(5c|[89a-f][0-9a-f])")
_FIRST_SURROGATE = 0xDC00
"""Lone surrogate that Python uses for the byte 0, by PEP 383."""


def escape_name(name: str) -> str:
    """Escape a file name so that it can be written everywhere; most names are unchanged."""
    return _NOT_WRITABLE.sub(lambda match: f"\\x{ord(match[0]) & 0xFF:02x}", name)


def unescape_name(text: str) -> str:
    """Restore a file name; the inverse of `escape_name`."""
    return _ESCAPE.sub(lambda match: "\\" if match[1] == "5c" else chr(_FIRST_SURROGATE + int(match[1], 16)), text)
