"""Accuracy on an edition's tiles of a classifier that never saw any: `python -m models.evaluation.leave_out --edition
C2`.

Trains from scratch without that edition's scans and without photos of its tiles (or of an unknown edition), or with
`--set NAME` without one art set and the photos of its edition; then reads tables composed in exactly the sets left out,
and the labelled photos of the edition. It covers the base game alone, of which every edition has whole sets, and reads
squares at their true corners, so it measures how well recognition generalises to new art. Checkpoint, weights and
figures go to a folder of their own under `--runs` (`runs/without-C2`).
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from dataclasses import asdict
from functools import partial

from models.evaluation.figures import Figures, read_composed_tables, read_photos, sum_figures
from models.samples.splits import gather_material_without, leave_out_edition, leave_out_set
from models.training.loop import parse_arguments, train
from models.training.train_classifier import build_net, build_recipe, write
from vision.evaluation.reliability import compute_wilson_interval, format_share
from vision.runtime.onnx import Net

STEPS = 3000
"""Default number of steps: about 35 minutes on one core, on tables of the base game alone. Bounds time."""


def _show(rows: Sequence[Figures]) -> None:
    for row in rows:
        if row.tiles:
            print(
                f"{row.name}: tiles exact {format_share(row.exact, row.tiles)}, "
                f"by the picture alone {format_share(row.exact_alone, row.tiles)}"
            )


def main() -> None:
    parser = argparse.ArgumentParser()
    chosen = parser.add_mutually_exclusive_group(required=True)
    chosen.add_argument("--edition", help="editions as in the manifest: C1, C2, C3, ...")
    chosen.add_argument("--set", help="folder of one art set")
    parser.add_argument("--tables", type=int, default=8, help="number of tables composed in each set that is left out")
    options = parse_arguments(__doc__ or "", STEPS, cycles=1, parser=parser)
    try:
        left = (
            leave_out_edition(options.art, options.edition)
            if options.edition
            else leave_out_set(options.art, options.set)
        )
    except ValueError as error:
        parser.error(str(error))
    options.runs /= f"without-{options.edition or options.set}"
    material = partial(gather_material_without, left, options.art, options.photos, options.labels)
    trained = train(build_recipe(options.steps), build_net(), options, material)
    write(trained, options.runs / "classifier.onnx", options)
    net = Net(options.runs / "classifier.onnx", options.threads)
    tables = list(read_composed_tables(net, left, options.art, options.tables))
    photos = list(read_photos(net, left, options.photos, options.labels))
    rows = [*tables, sum_figures("all composed tables", tables), *photos, sum_figures("all photos", photos)]
    _show(rows)
    figures = [asdict(row) | {"interval_95": compute_wilson_interval(row.exact, row.tiles)} for row in rows]
    (options.runs / "figures.json").write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
