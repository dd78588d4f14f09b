"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

OwnWonders = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Your own layout of a wonder (see docs/wonder-files.md).")
]
