"""Readings of a stored list of tables, written so that 2 commits can be compared.

    python -m datasets.evaluation.yardstick --tables FOLDER --out before.jsonl
    python -m datasets.evaluation.yardstick --tables FOLDER --labels LABEL... --photos DIR --out after.jsonl --against
    before.jsonl

The drawn tables are those of `datasets/evaluation/yardstick.toml`; missing ones are drawn into `--tables`. With
`--labels` the labelled photos below `--photos` are read as well. Each line of the file is the reading of one photo with
all its alternatives, without any times. `--against` prints the photos whose lines differ, and the differing fields; the
exit status is then 1.

Readings depend on the rounding of the processor: compare files written on one machine.
"""

from __future__ import annotations

import argparse
import json
import shlex
import sys
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from datasets.generate import main as generate
from scoring.carcassonne.board.notation import format_notation
from scoring.carcassonne.doubt.relevance import assess_score_doubts
from scoring.carcassonne.final.scoring import compute_final_scoring
from vision.doubt.alternatives import find_alternatives
from vision.errors import PhotoError, ReadingError
from vision.evaluation.labels import load_truth
from vision.evaluation.tables import find_photo
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.board import build_board
from vision.reading.values import MeepleReading, Reading, TileReading

LIST = Path(__file__).with_suffix(".toml")
DIGITS = 9


def main(arguments: Sequence[str] | None = None) -> int:
    """Read the tables and write the readings; return 1 if another file's lines differ."""
    options = _parse(arguments)
    photos = {f"drawn/{path.parent.name}/{path.stem}": path for path in draw_tables(options.tables)}
    photos |= {f"real/{name}": path for name, path in _find_labelled(options.labels, options.photos)}
    reader = Reader()
    lines = {name: describe_photo(reader, path) for name, path in photos.items()}
    options.out.write_text(
        "".join(json.dumps({"photo": name, **line}) + "\n" for name, line in lines.items()), encoding="utf-8"
    )
    differences = list(compare_lines(load_lines(options.against), lines)) if options.against else []
    for difference in differences:
        print(difference)
    print(f"{len(lines)} photos read, {len(differences)} read otherwise" if options.against else f"{len(lines)} photos")
    return 1 if differences else 0


def draw_tables(folder: Path) -> Iterator[Path]:
    """Draw the missing tables of the stored list into the folder, and yield the photo of each."""
    for name, entry in tomllib.loads(LIST.read_text(encoding="utf-8")).items():
        generate(["--out", str(folder / name), "--resume", *shlex.split(entry["arguments"])])
        yield from sorted((folder / name).glob("table_*.jpg"))


def describe_photo(reader: Reader, path: Path) -> dict[str, Any]:
    """Return the reading of a photo as plain values, or the code of its error."""
    try:
        return describe_reading(reader.read(Photo.from_path(path)))
    except (PhotoError, ReadingError) as error:
        return {"error": error.code}


def describe_reading(reading: Reading) -> dict[str, Any]:
    """Return a reading as plain values: tiles, meeples, the score track, alternatives, and points."""
    board = build_board(reading)
    doubts = assess_score_doubts(board, list(find_alternatives(reading, board)))
    track = reading.track
    return {
        "notation": format_notation(board),
        "final_scoring": dict(compute_final_scoring(board).totals),
        "confidence": _round(doubts.confidence),
        "doubtful": doubts.doubtful,
        "changes": [
            [str(c.alternative.subject), _round(c.alternative.probability), dict(c.totals)] for c in doubts.changes
        ],
        "tiles": [_describe_tile(tile) for tile in reading.tiles],
        "meeples": [_describe_meeple(meeple) for meeple in reading.meeples],
        "possible_meeples": [_describe_meeple(meeple) for meeple in reading.possible_meeples],
        "wonders": [
            [wonder.placed.layout.id, wonder.placed.anchor, _round(wonder.probability)] for wonder in reading.wonders
        ],
        "track": None
        if track is None
        else [[p.colour, p.pose, p.spaces, _round(p.confidence), p.doubtful] for p in track.pieces],
    }


def compare_lines(before: Mapping[str, Mapping[str, Any]], after: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield each photo whose reading differs, or that is in only one file, with the differing fields."""
    for name in sorted({*before, *after}):
        old, new = before.get(name), json.loads(json.dumps(after.get(name)))
        if old is None or new is None:
            yield f"{name}: only {'after' if old is None else 'before'}"
        elif differing := [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]:
            yield f"{name}: {', '.join(differing)}"


def load_lines(file: Path) -> dict[str, dict[str, Any]]:
    """Return the lines of a file written by this command, by the photos' names."""
    lines = (json.loads(line) for line in file.read_text(encoding="utf-8").splitlines())
    return {line.pop("photo"): line for line in lines}


def _describe_tile(tile: TileReading) -> list[Any]:
    others = [[other.tile, other.turns, _round(other.probability)] for other in tile.alternatives]
    return [tile.row, tile.col, tile.tile, tile.turns, tile.cell, _round(tile.confidence), tile.doubtful, others]


def _describe_meeple(meeple: MeepleReading) -> list[Any]:
    others = [[o.segment, o.colour, o.kind, o.pose, _round(o.probability)] for o in meeple.alternatives]
    read = [meeple.colour, meeple.kind, meeple.pose, meeple.row, meeple.col, meeple.segment]
    return [*read, *map(_round, (*meeple.at, meeple.confidence)), meeple.doubtful, others]


def _round(number: float) -> float:
    return float(f"{number:.{DIGITS}g}")


def _find_labelled(labels: Iterable[Path], photos: Path | None) -> Iterator[tuple[str, Path]]:
    for label in labels:
        yield label.stem, find_photo(load_truth(label).photo, photos or label.parent)


def _parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.yardstick", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--tables", type=Path, required=True, help="folder of the drawn tables")
    parser.add_argument("--labels", type=Path, nargs="+", default=[], help="labels of further photos")
    parser.add_argument("--photos", type=Path, help="folder that holds these photos")
    parser.add_argument("--out", type=Path, required=True, help="file to write, one line for each photo")
    parser.add_argument("--against", type=Path, help="a file of another commit to compare with")
    return parser.parse_args(arguments)


if __name__ == "__main__":
    sys.exit(main())
