"""How well wonders are enrolled from one photo each, and how well tables are read with the result.

    python -m datasets.evaluation.wonder_enrolment --out DIR [--reshaped]

Draws copies of each of the eight wonders, varied within the rule texts (with `--reshaped` also on other squares), each
alone on a kind of table and in a style that are held out from training, and enrols each from its one photo, as
`wondertally enrol wonder` does. Counts the corrections by an owner who knows the tile until the layout is the true one
(`datasets.evaluation.wonders`): the outline first, then the edges, each followed by a new reading of the
rest, then whatever is left. If the tile was not found at all, everything is corrected from the layout in force.

Then draws tables with one copy of each wonder, and reads them three times: with the true layouts in force, with the
layouts as corrected and the prints of their photos, and with the layouts as proposed and those prints. Figures are in
DIR/enrolment.json, and in an evaluation of each reading.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np

from datasets.art.tileset import TileSet
from datasets.evaluation.wonders import Corrections, add_up, count_inner_corrections, count_wrong_edges
from datasets.generate import Deal, gather_art, generate, lay_alone
from datasets.render.shots import Manner, shoot
from datasets.scene.varied_wonders import Copies
from scoring.carcassonne.board.board import PlacedWonder
from scoring.carcassonne.tiles.geometry import Square
from scoring.carcassonne.wonders.catalogue import load_wonder_catalogue
from scoring.carcassonne.wonders.files import read_wonder, settle_coats, vouch_for
from scoring.carcassonne.wonders.tiles import WONDERS, WonderLayout
from scoring.errors import CatalogueError, WondertallyError
from vision.arrays import Floats
from vision.enrolling.wonders import WonderProposal, correct_edges, place_on_outline, propose_wonder
from vision.enrolment.prints import Enrolment
from vision.evaluation.labels import Truth, load_truth
from vision.evaluation.reliability import format_share
from vision.evaluation.tables import Evaluation, evaluate_photos
from vision.geometry.lattice_transform import Step
from vision.photo.crops import compute_tile_px
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.squares.print_matching import References

STYLE = "autumn"
TABLETOPS = ("marble", "herringbone", "rosettes")
ART_PX = 160
FREE = (0.1, 0.6)
"""Range of the picture's share left free around the tile, from close up to far away."""
WONDERS_A_TABLE = 3
MAX_ASTRAY_TILES = 0.2
"""Maximum distance of a square's corner from its true position for the square to count as found."""


@dataclass(frozen=True, slots=True, eq=False)
class WonderTrial:
    """A wonder enrolled from one photo: the corrections, the proposal, and the final layout.

    `error` is the code if nothing was proposed. `art` holds the prints, by the numbers of `layout`'s squares.
    """

    photo: str
    wonder: str
    corrections: Corrections
    layout: WonderLayout
    proposed: WonderLayout | None = None
    art: Enrolment | None = None
    proposed_art: Enrolment | None = None
    error: str = ""


def main(arguments: Sequence[str] | None = None) -> None:
    options = build_parser().parse_args(arguments)
    reader = Reader()
    copies = Copies(options.seed, options.reshaped, options.copies)
    (tiles,) = gather_art([], [STYLE], options.seed, wonders=True)
    alone, tables = options.out / "alone", options.out / "tables"
    draw_lone_wonders(alone, copies, tiles, options.seed)
    trials = []
    for label in sorted(alone.glob("*.json")):
        trials.append(enrol_wonder(reader, alone, load_truth(label)))
        print(format_trial(trials[-1]), flush=True)
    print(*format_summary(trials), sep="\n")
    deal = Deal(wonders=WONDERS_A_TABLE, copies=replace(copies, of_each=1))
    tables.mkdir(parents=True, exist_ok=True)
    for name, shot in generate([tiles], TABLETOPS, Manner(), options.tables, options.seed, deal):
        shot.save(tables, name)
    read = dict(read_tables(reader, tables, options.out, trials[:: options.copies]))
    for words, evaluation in read.items():
        print(f"{words}: {format_evaluation(evaluation)}")
    document = {
        "trials": [{**asdict(each.corrections), "photo": each.photo, "error": each.error} for each in trials],
        "tables": {words: evaluation.totals() for words, evaluation in read.items()},
    }
    (options.out / "enrolment.json").write_text(json.dumps(document, indent=1, default=str) + "\n", encoding="utf-8")


def build_parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.wonder_enrolment", description=(__doc__ or "").split("\n\n")[0]
    )
    parser.add_argument("--out", type=Path, required=True, metavar="DIR", help="folder for photos and figures")
    parser.add_argument(
        "--copies", type=int, default=3, metavar="N", help="number of copies of each wonder that are enrolled"
    )
    parser.add_argument("--tables", type=int, default=20, metavar="N", help="number of tables that are read")
    parser.add_argument(
        "--reshaped", action="store_true", help="some copies lie on other squares than the inferred ones"
    )
    parser.add_argument("--seed", type=int, default=71)
    return parser


def draw_lone_wonders(folder: Path, copies: Copies, tiles: TileSet, seed: int) -> None:
    """Draw a photo of each copy of each wonder by itself, with its label."""
    folder.mkdir(parents=True, exist_ok=True)
    for number, id in enumerate(WONDERS):
        for copy in range(copies.of_each):
            rng = np.random.default_rng([seed, number, copy])
            layout = copies.make(id, copy)
            art = copies.draw(tiles, [layout], ART_PX)
            top = TABLETOPS[(number + copy) % len(TABLETOPS)]
            shot = shoot(lay_alone(layout, rng), art, top, Manner(free=FREE), rng)
            shot.save(folder, f"{id.removeprefix('WH/')}_{copy:02d}")


def enrol_wonder(reader: Reader, photos: Path, truth: Truth) -> WonderTrial:
    """Enrol the wonder of a label from its photo, and correct the proposal until it is the true layout."""
    (wonder,) = truth.board.wonders
    id, photo = wonder.layout.id, Photo.from_path(photos / truth.photo)
    try:
        first = propose_wonder(reader, photo, id)
    except WondertallyError as error:
        fresh = place_on_outline(load_wonder_catalogue()[id], tuple(sorted(wonder.squares)))
        corrections = count_corrections(fresh, wonder, int(fresh.layout.is_bare))
        return WonderTrial(truth.photo, id, corrections, wonder.layout, error=error.code)
    proposal, wrong_outline = first, 0
    step = align_squares(first.quads, truth)
    if step is None:
        wrong_outline, proposal = 1, propose_true_outline(reader, photo, truth)
        step = align_squares(proposal.quads, truth)
        assert step is not None
    true = step.wonder(wonder)
    wrong_edges = count_wrong_edges(proposal.reading.placed, true)
    if wrong_edges:
        with suppress(CatalogueError):  # no tile with such edges can be drawn: the rest is corrected by hand
            proposal = correct_edges(reader, proposal, true.edges)
    inner = count_inner_corrections(proposal.reading.placed, true)
    corrections = replace(inner, outline=wrong_outline, edges=wrong_edges)
    corrected = replace(proposal, reading=replace(proposal.reading, placed=true))
    return WonderTrial(
        *(truth.photo, id, corrections, read_wonder(settle_coats(true.layout)), first.layout),
        *(corrected.build_art(), first.build_art()),
    )


def propose_true_outline(reader: Reader, photo: Photo, truth: Truth) -> WonderProposal:
    """Return the proposal after an owner has placed the five squares correctly."""
    (wonder,) = truth.board.wonders
    quads = {tile.square: tile.corners_px for tile in truth.tiles}
    placed = place_on_outline(reader.board_tiles.wonders[wonder.layout.id], tuple(sorted(wonder.squares)))
    return correct_edges(reader, WonderProposal.begin(photo, placed, quads), {})


def count_corrections(read: PlacedWonder, true: PlacedWonder, outline: int) -> Corrections:
    """Count the manual corrections of a wonder on the true squares."""
    inner = count_inner_corrections(read, true)
    return replace(inner, outline=outline, edges=count_wrong_edges(read, true))


def align_squares(quads: Mapping[Square, Floats], truth: Truth) -> Step | None:
    """Return the step from a label's squares to those of a photo that aligns their corners, or None if there is
    none."""
    true_quads = {tile.square: tile.corners_px for tile in truth.tiles}
    size = float(np.median(compute_tile_px(np.array([*true_quads.values()]))))
    for turns in range(4):
        for first in quads:
            row, col = Step(turns).square(min(true_quads))
            step = Step(turns, first[0] - row, first[1] - col)
            moved = {step.square(square): step.quad(quad) for square, quad in true_quads.items()}
            if moved.keys() == quads.keys() and all(
                np.linalg.norm(moved[square] - quad, axis=1).max() <= MAX_ASTRAY_TILES * size
                for square, quad in quads.items()
            ):
                return step
    return None


def read_tables(
    reader: Reader, tables: Path, out: Path, trials: Sequence[WonderTrial]
) -> Iterator[tuple[str, Evaluation]]:
    """Yield evaluations of the tables with the true layouts, with the corrected ones, and with those proposed."""
    labels, shipped = sorted(tables.glob("*.json")), load_wonder_catalogue()
    true = {trial.wonder: trial.layout for trial in trials}
    proposed = {trial.wonder: vouch_for(trial.proposed) for trial in trials if trial.proposed is not None}
    ways: tuple[tuple[str, dict[str, WonderLayout], list[Enrolment]], ...] = (
        ("true layouts", true, []),
        ("enrolled and corrected", true, [trial.art for trial in trials if trial.art is not None]),
        (
            "enrolled as proposed",
            proposed,
            [trial.proposed_art for trial in trials if trial.proposed_art is not None],
        ),
    )
    for words, layouts, art in ways:
        reader.board_tiles.wonders = {**shipped, **layouts}
        reader.square_reader.prints = References(art, reader.classifier.metadata["classes"])
        yield words, evaluate_photos(labels, tables, out / words.replace(" ", "-"), reader)


def format_trial(trial: WonderTrial) -> str:
    counts = ", ".join(f"{count} {sort}" for sort, count in asdict(trial.corrections).items() if count)
    return f"{trial.photo}: {trial.error or 'proposed'}; to correct: {counts or 'nothing'}"


def format_summary(trials: Sequence[WonderTrial]) -> Iterator[str]:
    """Yield the mean number of corrections with its interval (95 %, bootstrap), by sort, and how many were found."""
    totals = np.array([trial.corrections.total for trial in trials], np.float64)
    means = np.random.default_rng(1).choice(totals, (10_000, len(totals))).mean(axis=1)
    low, high = np.quantile(means, (0.025, 0.975))
    yield f"corrections a wonder: {totals.mean():.2f} ({low:.2f} to {high:.2f}), n = {len(totals)}"
    yield "of each sort: " + ", ".join(f"{k} {v}" for k, v in add_up(each.corrections for each in trials).items())
    yield f"found: {format_share(sum(not trial.error for trial in trials), len(trials))}"
    yield f"with at most three corrections: {format_share(int((totals <= 3).sum()), len(trials))}"


def format_evaluation(evaluation: Evaluation) -> str:
    totals = evaluation.totals()
    finals, tiles = (
        format_share(totals[part], totals[all_])
        for part, all_ in (("finals_exact", "finals"), ("tiles_exact", "tiles"))
    )
    return f"finals right {finals}; tiles right {tiles}; sure but wrong {totals['finals_sure_wrong']}"


if __name__ == "__main__":
    main()
