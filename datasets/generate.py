"""Photos of finished random games with exact truth: a JPEG and a label each, the same for the same seed.

    python -m datasets.generate --out DIR --count 20 --seed 1 --procedural meadow terra
    wondertally evaluate DIR/*.json --photos DIR --out figures

The measurement on tile art and table tops held out from training (`models.samples.splits` lists them); for the oblique
half use `--count 40 --seed 9 --elevation 35 45` and another folder:

    python -m datasets.generate --out synthetic/unseen --count 200 --seed 8 --elevation 45 90 \
        --procedural autumn --tabletops marble herringbone rosettes \
        --art ../shared/tiles/c1-yerren ../shared/tiles/c2-koki-yamaguchi

`--boxes` adds expansions to the base game's tiles; `--lacking` names the scans of another printing, for one whose base
game has none. `--random-boxes 3` gives each table three other boxes of its own. `--wonders` is their number, of eight:
`--copies varied` lays copies whose roads and cities meet other edges than the inferred ones, `--copies reshaped` copies
that also cover other squares; the label holds their layouts.
With `--alone` (and `--free 0.1 0.6`) each table holds one of them and nothing else, as in an enrolment photo, close up
or from far away.

`--score-board` lays a score board beside the tiles, with its pieces in the label (`datasets.evaluation.score_tracks`
evaluates the reading). `--score-design ring` (or `winding`) lays one of our own there, the same on all tables, and
writes its simulated enrolment: `score_board.jpg` and `score_board.toml`. With `--waiting`, two pieces of each player
stand beside the board. With `--tokens`, players who completed laps have tokens of 50 and 100 points in front of them;
`token_50.jpg` and `token_100.jpg` show both sides.

`--played` deals the boards as sensible players leave them (`scoring.carcassonne.deal.strategy`), with far fewer knights
in open cities than random placement of tiles and meeples yields; `--players 2` fixes the number of players. `--sloppy`
sets pieces by the tiles' printed pictures instead of the catalogue's drawing, as carelessly as people do
(`datasets.scene.sloppy`). `--kinds big builder pig abbot` adds such pieces, some beside the board, some askew.
`--things` lays coins, dice, figures and bridges on the tiles, which are no player's pieces; `--clear` makes the pieces
of clear plastic, and `--matched` gives one player's pieces a colour of the print. `--home-print` lays tiles that look
printed at home and cut out by hand; `--procedural winter` lays them in snow, a style held out like `autumn`.

docs/evaluation.md lists the commands behind all tables that figures are measured on. `--resume` continues an
interrupted run.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random

import cv2
import numpy as np

from datasets.art.procedural import draw_grounds, draw_tile_set
from datasets.art.score_designs import DESIGNS, draw_score_token
from datasets.art.style import STYLES, Style, sample_style
from datasets.art.tileset import ArtError, TileSet, load_folder
from datasets.art.wonders import draw_wonder_set
from datasets.render.score_board_enrolment import show_score_board, show_score_token
from datasets.render.shots import Manner, Shot, shoot
from datasets.render.tabletops import HELD_OUT_KINDS, KINDS, REPEATED_KINDS, TRIED_KINDS
from datasets.scene.pieces import COLOURS as PAINTS
from datasets.scene.pieces import FURTHER_COLOURS, HELD_OUT_MAKES, SHAPES
from datasets.scene.score_boards import Sheets
from datasets.scene.sloppy import use_as_people_do
from datasets.scene.varied_wonders import Copies
from scoring.carcassonne.board.board import Board, PlacedWonder
from scoring.carcassonne.board.pieces import PIECES
from scoring.carcassonne.deal.boards import COLOURS, EXPANSIONS, deal_random_board, mix_expansions
from scoring.carcassonne.deal.pieces import add_pieces
from scoring.carcassonne.deal.strategy import simulate_board
from scoring.carcassonne.tiles.catalogue import Catalogue, load_base_catalogue
from scoring.carcassonne.tiles.other_boxes import list_other_boxes
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.tiles import WonderLayout
from scoring.errors import BoardError
from vision.arrays import Image

SIXTH_COLOURS = sorted({*PAINTS, *FURTHER_COLOURS}.difference(COLOURS))
OTHER_KINDS_SHARE = 0.5
"""Share of the pieces beside the board that are of other kinds than meeples, if others are requested."""

ART_PX = 240
"""Size of a drawn tile, larger than a tile in a photo of a whole board."""


@dataclass(frozen=True, slots=True)
class Deal:
    """The content of a table: as many tiles of the catalogue and wonders as find a place, and pieces.

    `catalogue` defaults to the base game's, with `random_boxes` other boxes; pieces of the other `kinds` stand wherever
    the rules allow. The number of `players` is random if None. A `played` board results from sensible players, without
    wonders. One of the players has the `sixth` colour. Farmers lie unless they are `standing`. A `sloppy` table has
    piles of farmers and discs (`datasets.scene.sloppy`). With `copies`, its wonders differ from the inferred ones.
    """

    catalogue: Catalogue | None = None
    wonders: int = 0
    kinds: Sequence[str] = ()
    players: int | None = None
    played: bool = False
    sixth: str | None = None
    standing: bool = False
    sloppy: bool = False
    copies: Copies | None = None
    alone: bool = False
    random_boxes: int = 0

    def board(self, rng: np.random.Generator) -> Board:
        """Deal the board at the end of a game."""
        board = self._deal_board(rng)
        if self.standing:
            farmers = (
                replace(m, pose="standing") if board.find_kind_below(m) == "field" and m.pose == "lying" else m
                for m in board.meeples
            )
            board = replace(board, meeples=tuple(farmers))
        if self.sloppy:
            board = use_as_people_do(board, rng.spawn(1)[0])
        if self.sixth is None or not board.players:
            return board
        (aside,) = rng.spawn(1)
        player = board.players[int(aside.integers(len(board.players)))]
        meeples = (replace(m, colour=self.sixth) if m.colour == player else m for m in board.meeples)
        return replace(board, meeples=tuple(meeples))

    def _deal_board(self, rng: np.random.Generator) -> Board:
        tiles, game = self.catalogue or load_base_catalogue(), Random(int(rng.integers(2**62)))
        if self.random_boxes:
            tiles = mix_expansions(game.sample(list_other_boxes(), self.random_boxes))
        if self.played:
            return simulate_board(game, self.players, tiles)
        if self.copies is not None:
            chosen: Sequence[WonderLayout] = self.copies.sample(self.wonders, rng.spawn(1)[0])
        else:
            chosen = game.sample([*load_wonder_catalogue().values()], self.wonders) if self.wonders else ()
        if self.alone:
            return lay_alone(chosen[0], rng)
        whole = sum(layout.count for layout in tiles)
        board = deal_random_board(game, whole, self.players, catalogue=tiles, wonders=chosen)
        return add_pieces(board, self.kinds, Random(int(rng.integers(2**62)))) if self.kinds else board


def lay_alone(wonder: WonderLayout, rng: np.random.Generator) -> Board:
    """Lay one wonder tile by itself in a random orientation, starting at row 0 and column 0."""
    turns = int(rng.integers(4))
    squares = wonder.placed((0, 0), turns)
    anchor = -min(row for row, _ in squares), -min(col for _, col in squares)
    return Board(PlacedWonder(wonder, anchor, turns).placements)


def generate(
    sets: Sequence[TileSet],
    tabletops: Sequence[str],
    manner: Manner,
    count: int,
    seed: int,
    deal: Deal | None = None,
    done: Container[str] = (),
) -> Iterator[tuple[str, Shot]]:
    """Yield `count` names and shots: each art set in turn, on each kind of table top in turn.

    Without a `deal`, a board is a base game. A shot depends only on the seed and its own number, so those whose names
    are in `done` are skipped. Raises ArtError.
    """
    for i in range(count):
        if f"table_{i:04d}" in done:
            continue
        rng = np.random.default_rng([seed, i])
        deal = deal or Deal()
        board, art = deal.board(rng), sets[i % len(sets)]
        if deal.copies is not None:
            art = deal.copies.draw(art, [wonder.layout for wonder in board.wonders], ART_PX)
        kind = tabletops[i // len(sets) % len(tabletops)]
        yield f"table_{i:04d}", shoot(board, art, kind, manner, rng)


def gather_art(
    folders: Sequence[Path],
    styles: Sequence[str],
    seed: int,
    catalogue: Catalogue | None = None,
    wonders: bool = False,
    lacking: Path | None = None,
    grounds: bool = False,
) -> list[TileSet]:
    """Gather art sets read from folders of scans, then drawn in styles of the project's own. Raises ArtError.

    Missing tiles of a folder are taken from the scans in `lacking`. With `grounds`, each picture's print is traced.
    With `wonders`, each style draws its own; scanned tiles get those of the first style, or of a random one.
    """
    layouts = catalogue or load_base_catalogue()
    scanned = [load_folder(folder, layouts, ART_PX) for folder in folders]
    if lacking is not None:
        rest = load_folder(lacking, layouts, ART_PX)
        scanned = [tiles.filled_up(rest) for tiles in scanned]
    rng = np.random.default_rng(seed)
    chosen_styles = [_style(name, rng) for name in styles]
    drawn = [draw_tile_set(style, seed, ART_PX, catalogue=layouts) for style in chosen_styles]
    if grounds:
        scanned = [tiles.trace_grounds(layouts) for tiles in scanned]
        drawn = [replace(tiles, grounds=draw_grounds(seed, catalogue=layouts)) for tiles in drawn]
    sets = [*scanned, *drawn]
    if not wonders:
        return sets
    hands = [*chosen_styles[:1], sample_style(rng)][:1] * len(scanned) + chosen_styles
    pictures = {style.name: draw_wonder_set(style, seed) for style in hands}
    return [replace(tiles, wonders=pictures[style.name], hand=style) for tiles, style in zip(sets, hands, strict=True)]


def _style(name: str, rng: np.random.Generator) -> Style:
    return sample_style(rng) if name == "random" else STYLES[name]


def main(arguments: Sequence[str] | None = None) -> None:
    parser = _parser()
    options = parser.parse_args(arguments)
    styles = options.procedural or ([] if options.art else ["meadow"])
    low, high = options.elevation
    if not 20 <= low < high <= 90:
        parser.error("--elevation takes two angles, 20 <= LOW < HIGH <= 90")
    if not 0 <= options.free[0] <= options.free[1] <= 0.9:
        parser.error("--free takes two shares, 0 <= LOW <= HIGH <= 0.9")
    if options.played and (options.wonders or options.kinds):
        parser.error("--played goes without --wonders and --kinds: its players set meeples on plain tiles alone")
    if options.random_boxes and (options.boxes or not 0 < options.random_boxes <= len(list_other_boxes())):
        parser.error("--random-boxes takes a number of boxes, and goes without --boxes")
    if options.alone and (options.wonders != 1 or options.kinds or options.sloppy):
        parser.error("--alone goes with --wonders 1, and without --kinds and --sloppy: nothing lies on that tile")
    strength = None if options.clean else options.strength
    sheets = _sheets(options) if options.score_board else None
    manner = Manner(
        options.size,
        (low, high),
        strength=strength,
        score_board=sheets,
        home_print=options.home_print,
        makes=options.makes,
        things=options.things,
        clear=options.clear,
        matched=options.matched,
        free=options.free,
    )
    if options.kinds:
        manner = replace(manner, variety=OTHER_KINDS_SHARE)
    try:
        options.out.mkdir(parents=True, exist_ok=True)
        if sheets is not None and sheets.printed is not None:
            enrolment = show_score_board(sheets.printed, sheets.design, np.random.default_rng([options.seed, 2, 0]))
            enrolment.save(options.out, "score_board")
        for points, picture in ((sheets and sheets.tokens) or {}).items():
            photo = show_score_token(picture, np.random.default_rng([options.seed, 4, points]))
            cv2.imwrite(str(options.out / f"token_{points}.jpg"), photo, [cv2.IMWRITE_JPEG_QUALITY, 92])
        tiles = mix_expansions(options.boxes) if options.boxes else None
        pictured = mix_expansions(list_other_boxes()) if options.random_boxes else tiles
        sets = gather_art(
            options.art, styles, options.seed, pictured, bool(options.wonders), options.lacking, options.sloppy
        )
        deal = Deal(
            *(tiles, options.wonders, options.kinds, options.players, options.played, options.sixth),
            *(options.standing, options.sloppy),
            copies=Copies(options.seed, options.copies == "reshaped") if options.copies else None,
            alone=options.alone,
            random_boxes=options.random_boxes,
        )
        done = {path.stem for path in options.out.glob("table_*.json")} if options.resume else set[str]()
        for name, shot in generate(sets, options.tabletops, manner, options.count, options.seed, deal, done=done):
            shot.save(options.out, name)
    except (ArtError, BoardError) as error:
        parser.error(f"{error.code}: {error}")
    except OSError as error:
        parser.error(f"cannot_write: {error}")


def _sheets(options: argparse.Namespace) -> Sheets:
    style, design = _style(options.score_board, np.random.default_rng([options.seed])), DESIGNS[options.score_design]
    first = options.score_design == "first"
    printed = None if first else design.drawn(style, np.random.default_rng([options.seed, 1, 0]))
    tokens = _tokens(style, options.seed) if options.tokens else None
    return Sheets(style, design, printed, options.waiting, tokens)


def _tokens(style: Style, seed: int) -> dict[int, Image]:
    """Draw both sides of a token: the same landscape around either number."""
    return {points: draw_score_token(points, style, np.random.default_rng([seed, 3, 0])) for points in (50, 100)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m datasets.generate", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--out", type=Path, required=True, help="folder to write to")
    parser.add_argument("--count", type=int, default=20, help="number of tables")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--art", type=Path, nargs="+", default=[], help="folders of scans, with manifest.csv beside them"
    )
    parser.add_argument("--lacking", type=Path, help="folder of scans of the tiles that those of --art lack")
    parser.add_argument("--procedural", nargs="+", choices=[*STYLES, "random"], help="styles of the project's own art")
    parser.add_argument(
        "--tabletops",
        nargs="+",
        choices=[*KINDS, *REPEATED_KINDS, *HELD_OUT_KINDS, *TRIED_KINDS],
        default=list(KINDS),
        metavar="KIND",
    )
    choices = [*EXPANSIONS, *list_other_boxes()]
    described = "expansions beside the base game's tiles; other boxes by the prefix of their tiles (AM)"
    parser.add_argument("--boxes", nargs="+", choices=choices, metavar="BOX", help=described)
    parser.add_argument(
        "--random-boxes", type=int, default=0, metavar="N", help="number of other boxes on each table, drawn by lot"
    )
    parser.add_argument("--wonders", type=int, choices=range(9), default=0, help="number of wonders on each board")
    parser.add_argument(
        "--copies",
        choices=["varied", "reshaped"],
        help="draw wonders with other edges, or other edges and squares, than the inferred ones, as the rules allow",
    )
    parser.add_argument(
        "--alone", action="store_true", help="the one wonder lies by itself, as it is photographed to enrol it"
    )
    parser.add_argument("--played", action="store_true", help="draw boards as sensible players leave them")
    parser.add_argument(
        "--players", type=int, choices=range(2, len(COLOURS) + 1), help="number of players; by default random"
    )
    parser.add_argument("--standing", action="store_true", help="farmers stand, as on some tables")
    parser.add_argument("--sloppy", action="store_true", help="pieces stand on the print, placed as people place them")
    parser.add_argument("--sixth", choices=SIXTH_COLOURS, help="one player of each table has this colour")
    parser.add_argument(
        "--held-out-makes",
        action="store_const",
        dest="makes",
        const=HELD_OUT_MAKES,
        help="pieces of a sixth colour are of makes that no net was trained on",
    )
    parser.add_argument(
        "--things", action="store_true", help="coins, dice, a dragon, bridges and other things lie on the tiles"
    )
    parser.add_argument("--clear", action="store_true", help="pieces are of clear plastic")
    parser.add_argument("--matched", action="store_true", help="one player's pieces have a colour of the print")
    parser.add_argument(
        "--score-board", choices=[*STYLES, "random"], help="put a score board of this style beside the tiles"
    )
    parser.add_argument("--score-design", choices=[*DESIGNS], default="first", help="design of the score board's track")
    parser.add_argument(
        "--tokens", action="store_true", help="players with more than one lap have tokens of 50 and 100 points"
    )
    parser.add_argument("--waiting", action="store_true", help="two pieces of each player wait beside the score board")
    parser.add_argument(
        "--kinds",
        nargs="+",
        choices=[kind for kind in PIECES if kind != "meeple" and kind in SHAPES],
        default=[],
        help="further kinds of pieces",
    )
    parser.add_argument("--home-print", action="store_true", help="tiles printed at home and cut out by hand")
    parser.add_argument(
        "--elevation",
        type=float,
        nargs=2,
        default=(45.0, 90.0),
        help="range of the camera's elevation in degrees; 90 is from above",
    )
    parser.add_argument(
        "--free",
        type=float,
        nargs=2,
        default=(0.02, 0.25),
        metavar=("LOW", "HIGH"),
        help="range of the share of the picture that stays free about the board",
    )
    parser.add_argument("--size", type=parse_size, default=(2400, 1800), help="size of a photo: WIDTHxHEIGHT")
    parser.add_argument("--resume", action="store_true", help="draw no table again that the folder already holds")
    parser.add_argument(
        "--strength", type=float, default=0.7, help="strength of the effects of light, lens and sensor, 0 to 1"
    )
    parser.add_argument("--clean", action="store_true", help="leave out the effects of light and lens")
    return parser


def parse_size(text: str) -> tuple[int, int]:
    """Parse a picture's size in pixels, `2400x1800`."""
    match = re.fullmatch(r"(\d{3,5})x(\d{3,5})", text)
    if not match:
        raise argparse.ArgumentTypeError(f"{text!r} is no size, as in 2400x1800")
    return int(match[1]), int(match[2])


if __name__ == "__main__":
    main()
