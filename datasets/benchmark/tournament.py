"""An organiser's evening: python -m datasets.benchmark.tournament [--tables 200] [--photos 800] [--kills 3].

Photos of a tournament's tables are drawn (`datasets.benchmark.tournament_photos`: few boards, all files distinct), some
bad and some repeated, with a CSV of event, round, table, players and score tracks. `wondertally batch` reads them and
is killed (SIGKILL, with all its processes) several times. In the end every photo must be accounted for: read and joined
with the others of its table, recognised as a repetition, or set aside with its error. Nothing may be read twice, and
the standings must match the readings, summed here independently. The number of tables read as drawn is printed as well.
Exit status 1 if a photo is lost, or standings differ.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any

from datasets.benchmark.attacks.kills import SET_ASIDE, Moment, find_repeats, has_read, load_lines, run_until
from datasets.benchmark.tournament_photos import USABLE, Drawn, draw_tournament, write_listing

SECONDS_A_PHOTO = 0.1
"""Maximum time of a kill after the first reading of a run, per photo. A guess."""
READ, AGAIN, LOST = "read", "the same once more", "LOST"
COMES_TO = {"twice": AGAIN, "torn": "truncated_image", "no picture": "not_an_image", "no board": "board_not_found"}
"""Expected outcomes of defective photos."""

Line = Mapping[str, Any]


def find_outcomes(line: Line, contents: Mapping[str, str], not_read: Mapping[str, str]) -> dict[str, str]:
    """Return the outcomes of a table's photos by name; `contents` are their SHA-256, `not_read` the codes of errors."""
    photos = line.get("photos") or [line["photo"]] if "scores" in line else []
    read = {photo["sha256"] for photo in photos}
    outcomes: dict[str, str] = {}
    contents_before: set[str] = set()
    for name in line["batch"]["photos"]:
        came = READ if contents[name] in read else not_read.get(name, LOST)
        outcomes[name] = AGAIN if came in (READ, LOST) and contents[name] in contents_before else came
        if came != LOST:
            contents_before.add(contents[name])
    return outcomes


def sum_standings(lines: Iterable[Line]) -> dict[str, tuple[int, Fraction, int]]:
    """Return tables, wins and points by player, over tables that were read and whose players all have names."""
    summed: dict[str, tuple[int, Fraction, int]] = {}
    for line in lines:
        if not line.get("scores") or not line["scores"]["total"].keys() <= line["names"].keys():
            continue
        totals = {line["names"][colour]: points for colour, points in line["scores"]["total"].items()}
        winners = [player for player, points in totals.items() if points == max(totals.values())]
        for player, points in totals.items():
            tables, wins, sum_ = summed.get(player, (0, Fraction(0), 0))
            summed[player] = tables + 1, wins + Fraction(player in winners, len(winners)), sum_ + points
    return summed


def find_faults(
    photos: Path, out: Path, not_read: Mapping[str, str], tables: Sequence[Drawn]
) -> tuple[Counter[str], list[str]]:
    """Return the number of photos by kind and outcome, and the faults; `not_read` are errors by photo."""
    lines = load_lines(out / "results.jsonl")
    kinds = {name: kind for table in tables for name, kind in table.photos.items()}
    contents = {name: sha256((photos / name).read_bytes()).hexdigest() for name in kinds}
    outcomes = [outcome for line in lines for outcome in find_outcomes(line, contents, not_read).items()]
    times = Counter(name for name, _ in outcomes)
    wrong = [f"{name} is in {times[name]} results" for name in kinds if times[name] != 1]
    wrong += [f"{name} ({kinds[name]}): {came}" for name, came in outcomes if not _right(kinds[name], came)]
    wrong += find_repeats(out)
    if _written(out / "standings.csv") != _as_written(sum_standings(lines)):
        wrong.append("standings.csv does not follow from what was read")
    return Counter(f"{kinds[name]}: {came}" for name, came in outcomes), wrong


def compare_totals(lines: Iterable[Line], tables: Sequence[Drawn]) -> tuple[int, int, int]:
    """Return the numbers of tables read, of those with the drawn totals, and of doubtful ones among the others."""
    true = {(str(table.round), str(table.number)): table.totals for table in tables}
    read = [line for line in lines if line.get("scores")]
    differ = [line for line in read if line["scores"]["total"] != true[line["batch"]["round"], line["batch"]["table"]]]
    return len(read), len(read) - len(differ), sum(line["doubtful"] for line in differ)


def main() -> int:
    """Print the counts."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.tournament")
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--photos", type=int, default=800, help="of all tables together, two a table at least")
    parser.add_argument("--kills", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.photos < 2 * options.tables:
        parser.error("--photos: two a table at least")
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        tables = draw_tournament(scratch / "photos", options.tables, options.photos, options.seed)
        write_listing(scratch / "list.csv", tables)
        latest = SECONDS_A_PHOTO * options.photos
        killed, seconds = _run(scratch, [Random(options.seed).uniform(0, latest) for _ in range(options.kills)])
        summary = json.loads((scratch / "told.json").read_text(encoding="utf-8"))
        counts, wrong = find_faults(scratch / "photos", scratch / "out", summary["not_read"], tables)
        _print(counts, killed, seconds, compare_totals(load_lines(scratch / "out" / "results.jsonl"), tables))
    for fault in wrong:
        print(f"WRONG: {fault}")
    print("MISSED" if wrong else "every photo accounted for, nothing read twice, standings as read")
    return int(bool(wrong))


def _run(scratch: Path, moments: Sequence[float]) -> tuple[int, float]:
    """Run the batch to its end, killing it at moments after its first reading; return the number of kills, and
    seconds.
    """
    more = ("--listing", str(scratch / "list.csv"), "--json", str(scratch / "told.json"))
    started, killed = time.perf_counter(), 0
    for moment in [*(Moment(has_read, seconds) for seconds in moments), None]:
        status = run_until(scratch / "photos", scratch / "out", moment, *more)
        killed += status is None
        if status not in (None, SET_ASIDE):
            raise SystemExit(f"the batch ended with {status}")
    return killed, time.perf_counter() - started


def _right(kind: str, came: str) -> bool:
    """Return whether an outcome is acceptable: usable photos may fail with an error, others must have the
    expected one.
    """
    return came != LOST if kind == USABLE else came == COMES_TO[kind]


def _as_written(summed: Mapping[str, tuple[int, Fraction, int]]) -> dict[str, tuple[str, ...]]:
    return {player: (str(tables), f"{float(wins):g}", str(points)) for player, (tables, wins, points) in summed.items()}


def _written(file: Path) -> dict[str, tuple[str, ...]]:
    with file.open(encoding="utf-8", newline="") as opened:
        return {row["player"]: (row["tables"], row["wins"], row["points"]) for row in csv.DictReader(opened)}


def _print(counts: Counter[str], killed: int, seconds: float, read: tuple[int, int, int]) -> None:
    print(f"{counts.total()} photos in {seconds / 60:.1f} minutes, killed {killed} times on the way")
    for came, count in sorted(counts.items()):
        print(f"  {came}: {count}")
    print(f"{read[0]} tables read, {read[1]} with the totals that were drawn; of the others {read[2]} are doubtful")


if __name__ == "__main__":
    sys.exit(main())
