"""Options shared by several commands."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from api.languages import LanguageCode
from scoring.carcassonne.board.box_rules import RULED_BOXES
from scoring.carcassonne.tiles.catalogue import BOXES

PlayerCount = Annotated[
    str | None,
    typer.Option("--players", metavar="N", help="The number of players, including those without a piece left."),
]
TilesInPlay = Annotated[
    str | None,
    typer.Option("--tiles-in-play", metavar="N", help="The number of tiles, if more than on the table; a wonder is 5."),
]
Goods = Annotated[
    list[str] | None,
    typer.Option(
        "--goods",
        metavar="COLOUR.GOODS=N",
        help="Goods tokens of a player: blue.wine=3; also gold bars (gold=7), king=1, baron=1, and other=12 points.",
    ),
]
Owners = Annotated[
    list[str] | None,
    typer.Option(
        "--owner",
        metavar="WONDER=COLOUR",
        help="The owner of a wonder, overriding its marker: alhambra=blue; alhambra=nobody if it has none.",
    ),
]
BoxRulesSaid = Annotated[
    list[str] | None,
    typer.Option(
        "--box-rules",
        metavar="BOX=on|off",
        help=f"Whether a box's own rules were played, or its tiles alone: inns=off,traders=on; of "
        f"{', '.join(RULED_BOXES)}.",
    ),
]
BoxesSaid = Annotated[
    list[str] | None,
    typer.Option(
        "--boxes",
        metavar="BOX=N",
        help=f"The number of copies of a box on the table: base=2,inns=0; of {', '.join(BOXES)}, or as tile ids begin.",
    ),
]
ResultFile = Annotated[Path | None, typer.Option("--json", help="Write the result to this file; - prints it instead.")]
LanguageOption = Annotated[LanguageCode, typer.Option("--language", help="The language of the explanation.")]
OwnWonders = Annotated[
    list[Path] | None, typer.Option(metavar="FILE", help="Your own layout of a wonder (see docs/wonder-files.md).")
]
