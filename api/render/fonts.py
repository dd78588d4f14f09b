"""The font of pages and pictures, Source Sans Pro (SIL Open Font License), and the handling of letters it lacks.

It has Latin, Greek and Cyrillic letters. Fonts of further scripts are not shipped: packages that have some of them
weigh 4 MB (`pymupdf-fonts`) and need a shaping library of 2 MB, Chinese alone weighs 17 MB. A name in such letters is
replaced by the player's colour.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TypeVar

from fontTools.ttLib import TTFont

from api.documents.report import Report
from api.documents.spot_report import SpotReport
from api.i18n import load_words

LEFT_OUT = "…"
"""Replacement for letters that the font lacks."""
_LACKING = "\uffff"
"""Marker of a missing letter: a code point that Unicode reserves as a noncharacter."""


_Report = TypeVar("_Report", Report, SpotReport, Report | SpotReport)


def find_font_file(weight: str) -> Path:
    """Return the file of the font in a weight: Regular or Semibold."""
    package = find_spec("font_source_sans_pro")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "files" / f"SourceSansPro-{weight}.ttf"


def keep_printable(text: str) -> str:
    """Replace letters that the font lacks by an ellipsis."""
    return re.sub(rf"{_LACKING}(?:\s*{_LACKING})*", LEFT_OUT, _mark_lacking(text))


def choose_printable_names(names: Mapping[str, str], language: str) -> dict[str, str]:
    """Return players' names, by colour, as the font can write them.

    A name with some missing letters is followed by the colour; a name with nothing printable is omitted, so that the
    colour is used instead.
    """
    printable = {}
    for colour, name in names.items():
        text = _mark_lacking(name)
        rest = " ".join(text.replace(_LACKING, " ").split())
        if rest and _LACKING not in text:
            printable[colour] = text
        elif any(map(str.isalnum, rest)):
            printable[colour] = f"{rest} ({load_words(language).name('colour', colour)})"
    return printable


def copy_with_printable_names(report: _Report, language: str) -> _Report:
    """Return a copy of a report with printable names."""
    return report.model_copy(update={"names": choose_printable_names(report.names, language)})


def _mark_lacking(text: str) -> str:
    """Mark each letter that the font lacks.

    A letter with a compatible form in the font is replaced by that, such as a full-width one; invisible characters are
    dropped.
    """
    return "".join(map(_find_form, unicodedata.normalize("NFC", text)))


def _find_form(letter: str) -> str:
    if ord(letter) in _list_letters():
        return letter
    other = unicodedata.normalize("NFKC", letter)
    if all(ord(part) in _list_letters() for part in other):
        return other
    is_unseen = unicodedata.category(letter) in ("Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs")
    return _LACKING if not is_unseen else " " if letter.isspace() else ""


@cache
def _list_letters() -> frozenset[int]:
    """Return the code points that the font has in both weights."""
    fonts = [TTFont(find_font_file(weight)) for weight in ("Regular", "Semibold")]
    return frozenset.intersection(*(frozenset(font.getBestCmap()) for font in fonts))
