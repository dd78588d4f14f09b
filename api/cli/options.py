"""Options that several commands have."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.languages import Language

PlayerCount = Annotated[
    str | None, typer.Option("--players", metavar="N", help="How many played, those without a piece left too.")
]
TilesInPlay = Annotated[
    str | None,
    typer.Option("--tiles-in-play", metavar="N", help="With how many tiles, where more than lie there; a wonder is 5."),
]
Goods = Annotated[
    list[str] | None,
    typer.Option("--goods", metavar="COLOUR.GOODS=N", help="Goods tokens that a player took: blue.wine=3."),
]
Owners = Annotated[
    list[str] | None,
    typer.Option(
        "--owner",
        metavar="WONDER=COLOUR",
        help="Who holds a wonder, whoever's marker lies on it: alhambra=blue; alhambra=nobody: it scores for nobody.",
    ),
]


LanguageOption = Annotated[Language, typer.Option("--language", help="What the explanation is written in.")]
OwnWonders = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Your own layout of a wonder (see docs/wonder-files.md).")
]
