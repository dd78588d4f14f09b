r"""Names of files as text: a name that is not UTF-8 is written legibly, and read back to the very same bytes.

A file's name may be any bytes. Python has those that are not UTF-8 as lone surrogates, which no text file, report or
database can hold. In a batch's texts such a byte is `\xe9`; a backslash before what looks like that is `\x5c`, so that
no two names are written alike.
"""

from __future__ import annotations

import re

_NOT_WRITABLE = re.compile(r"[\udc80-\udcff]|\\(?=x(?:5c|[89a-f][0-9a-f]))")
_ESCAPE = re.compile(r"\\x(5c|[89a-f][0-9a-f])")
_BACKSLASH = "5c"
_FIRST_SURROGATE = 0xDC00


def escape_name(name: str) -> str:
    """Escape a file's name so that it can be written everywhere; most stay as they are."""
    return _NOT_WRITABLE.sub(lambda match: f"\\x{ord(match[0]) & 0xFF:02x}", name)


def unescape_name(text: str) -> str:
    """Restore the file's name: the inverse of `escape_name`."""
    return _ESCAPE.sub(lambda match: _unescape(match[1]), text)


def _unescape(digits: str) -> str:
    return "\\" if digits == _BACKSLASH else chr(_FIRST_SURROGATE + int(digits, 16))
