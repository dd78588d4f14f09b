"""A database that is repeatedly unavailable for seconds while photos are sent and read."""

from __future__ import annotations

import time
from pathlib import Path
from random import Random

from datasets.benchmark.attacks import Bystanders, Tally
from datasets.benchmark.attacks.cluster import MissingError, run_cluster
from datasets.benchmark.references import Alone
from datasets.benchmark.serving import run_server
from datasets.benchmark.uploads import SETTINGS, Uploads, find_half_kept, follow_uploads, load_boards, send_photos

SECONDS = (1.0, 10.0)
"""Minimum and maximum length of an outage. A guess."""
BETWEEN_SECONDS = 3.0
SWEEPS_SECONDS = 3.0
STRANGE = "holiday.jpg"


def cut_database(scratch: Path, times: int, seed: int, alone: Alone) -> Tally:
    """Stop PostgreSQL immediately and suspend it, in turn."""
    tally, uploads, random = Tally("outages of PostgreSQL", times), Uploads(), Random(seed)
    data = scratch / "data"
    try:
        with run_cluster() as cluster:
            settings = {**SETTINGS, "database": cluster.url, "sweep_minutes": 0.02, "stray_minutes": 0}
            with run_server(data, **settings) as server:
                others = Bystanders(data / "photos", [STRANGE])
                with send_photos(server.url, load_boards(), uploads):
                    for number in range(times):
                        time.sleep(BETWEEN_SECONDS)
                        end, begin = (cluster.resume, cluster.pause) if number % 2 else (cluster.start, cluster.stop)
                        begin()
                        time.sleep(random.uniform(*SECONDS))
                        end()
                tally.add(uploads, follow_uploads(server, uploads, alone))
                time.sleep(SWEEPS_SECONDS)
            tally.wrong += find_half_kept(data, cluster.url, others=[STRANGE])
            tally.deleted += others.find_deleted()
    except MissingError as error:
        tally.left_out = str(error)
    return tally
