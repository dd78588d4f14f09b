"""The font of pages and pictures: Source Sans Pro (SIL Open Font License), with the letters of all languages."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path


def find_font_file(weight: str) -> Path:
    """The file of the font in a weight: Regular or Semibold."""
    package = find_spec("font_source_sans_pro")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "files" / f"SourceSansPro-{weight}.ttf"
