"""The text of a PDF."""

from __future__ import annotations

import re
import zlib


def lines_of(page: bytes) -> int:
    streams = re.findall(rb"stream\n(.*?)\nendstream", page, re.DOTALL)
    return sum(text.count(b" Td") for text in map(_inflated, streams))


def _inflated(stream: bytes) -> bytes:
    try:
        return zlib.decompress(stream)
    except zlib.error:
        return b""
