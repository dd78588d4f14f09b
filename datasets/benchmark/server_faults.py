"""Uploads to a server that is killed: python -m datasets.benchmark.server_faults [--kills 50] [--seed 0].

The server is killed (SIGKILL) at random moments, 1 in 5 during its start, and restarted. In the end every photo with an
id must be read correctly or have failed with a code, none may be partly stored, and the photos in its store must be
those of its readings.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from random import Random

from datasets.benchmark.references import read_alone
from datasets.benchmark.serving import find_free_port, launch_server, run_server
from datasets.benchmark.uploads import (
    SETTINGS,
    Found,
    Uploads,
    find_half_kept,
    follow_uploads,
    load_boards,
    send_photos,
)

MAX_LIFE_READINGS = 4.0
"""Maximum life of a server, as a multiple of the time of a reading. A guess."""
STARTING_SHARE = 0.2


def run(folder: Path, kills: int, seed: int) -> tuple[Uploads, Found]:
    """Kill the server the given number of times while clients send photos, and return the uploads and findings."""
    data, port, rng = folder / "data", find_free_port(), Random(seed)
    originals = load_boards()
    with run_server(data, port, **SETTINGS) as server:
        alone = read_alone(server.url, originals)
    uploads = Uploads()
    with send_photos(f"http://127.0.0.1:{port}", originals, uploads):
        for _ in range(kills):
            _live_and_die(data, port, rng, alone.seconds)
    with run_server(data, port, **SETTINGS, sweep_minutes=0.02, stray_minutes=0) as server:
        findings = follow_uploads(server, uploads, alone)
        time.sleep(3)  # 1 or 2 sweeps
    findings.wrong += find_half_kept(data)
    return uploads, findings


def _live_and_die(data: Path, port: int, rng: Random, seconds: float) -> None:
    """Run a server for a random time and kill it."""
    if rng.random() < STARTING_SHARE:
        with launch_server(data, port, **SETTINGS) as process:
            time.sleep(rng.uniform(0, 2 * seconds))
            process.kill()
    else:
        with run_server(data, port, **SETTINGS) as server:
            time.sleep(rng.uniform(0, MAX_LIFE_READINGS * seconds))
            server.kill()


def describe_counts(uploads: Uploads, findings: Found) -> Sequence[str]:
    """Return the counts, one per line."""
    lines = [f"answers: {dict(sorted(uploads.answers.items()))}", f"accepted: {len(uploads.accepted)}"]
    lines += [f"{count:6} {outcome}" for outcome, count in findings.outcomes.most_common()]
    wrong = findings.wrong + [f"unexpected answer {answer}" for answer in uploads.unexpected]
    return [*lines, f"wrong: {len(wrong)}", *wrong[:20]]


def main() -> int:
    """Print the counts; return 1 if anything was lost, partly stored or mixed up."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.server_faults", description=__doc__)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        uploads, findings = run(Path(folder), options.kills, options.seed)
    print("\n".join(describe_counts(uploads, findings)))
    return 1 if findings.wrong or uploads.unexpected or not findings.outcomes["done"] else 0


if __name__ == "__main__":
    sys.exit(main())
