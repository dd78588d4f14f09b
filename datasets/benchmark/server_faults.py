"""Uploads go on while the server is killed: python -m datasets.benchmark.server_faults [--kills 50] [--seed 0].

The server is killed (SIGKILL) at random moments, one in five while it starts, and started again. In the end every photo
that it gave an id for must be read rightly or have failed with a code, none may be half kept, and the photos in its
store must be those of its readings.
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
"""A server lives up to so many times what a reading takes."""
STARTING_SHARE = 0.2


def run(folder: Path, kills: int, seed: int) -> tuple[Uploads, Found]:
    """Kill the server so many times while clients send photos, and look at what is left."""
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
        time.sleep(3)  # a sweep or two
    findings.wrong += find_half_kept(data)
    return uploads, findings


def _live_and_die(data: Path, port: int, rng: Random, seconds: float) -> None:
    """One life of a server."""
    if rng.random() < STARTING_SHARE:
        with launch_server(data, port, **SETTINGS) as process:
            time.sleep(rng.uniform(0, 2 * seconds))
            process.kill()
    else:
        with run_server(data, port, **SETTINGS) as server:
            time.sleep(rng.uniform(0, MAX_LIFE_READINGS * seconds))
            server.kill()


def describe_counts(uploads: Uploads, findings: Found) -> Sequence[str]:
    """Describe the counts, a line each."""
    lines = [f"answers: {dict(sorted(uploads.answers.items()))}", f"accepted: {len(uploads.accepted)}"]
    lines += [f"{count:6} {outcome}" for outcome, count in findings.outcomes.most_common()]
    wrong = findings.wrong + [f"unexpected answer {answer}" for answer in uploads.unexpected]
    return [*lines, f"wrong: {len(wrong)}", *wrong[:20]]


def main() -> int:
    """Print the counts; 1 where something was lost, half kept or mixed up."""
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
