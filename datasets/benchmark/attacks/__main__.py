"""Attack entrusted data: python -m datasets.benchmark.attacks [--only NAME ...] [--kills 20] [--outages 10].

A server is killed while it reads, and so is a batch. The PostgreSQL of a server is unavailable for 1 to 10 seconds, its
disk is full, or its folder of photos is foreign or shared. Its database, photos or data folder is removed and restored,
and it is started on unsuitable databases. Clients send photos meanwhile, or photos made to be costly, or damaged ones;
or many of them request the same reading at once. Prints, for each attack, the number of photos accepted, read and lost,
and the number of deleted files that did not belong to the server. An attack that this machine does not permit is left
out with the reason: PostgreSQL must be installed, and mounting file systems allowed.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from time import monotonic

from datasets.benchmark.attacks import Tally
from datasets.benchmark.attacks.crowds import crowd_server, mail_mutants
from datasets.benchmark.attacks.hostile import HOSTILE, send_hostile_photos
from datasets.benchmark.attacks.kills import kill_batch, kill_server
from datasets.benchmark.attacks.places import name_foreign_folder, share_place
from datasets.benchmark.attacks.storage import cut_database, fill_disk, remove_storage, start_on_unfit_databases
from datasets.benchmark.serving import run_server
from datasets.benchmark.uploads import SETTINGS, Alone, load_boards, read_alone

Attack = Callable[[Path, Alone], Tally]
HEAD = ("attack", "times", "accepted", "read", "lost", "deleted of others", "wrong", "seconds")
WIDTH = 26
MAX_FAULTS = 10
ATTACKS = (
    *("server", "batch", "outages", "disks", "folders", "two-servers", "removals", "unfit", "photos"),
    *("mutants", "clients"),
)


def list_attacks(options: argparse.Namespace) -> Mapping[str, Attack]:
    """Return the attacks by name."""
    seed = options.seed
    return {
        "server": lambda scratch, alone: kill_server(scratch, options.kills, seed, alone),
        "batch": lambda scratch, alone: kill_batch(scratch, options.batch_kills, seed),
        "outages": lambda scratch, alone: cut_database(scratch, options.outages, seed, alone),
        "disks": lambda scratch, alone: fill_disk(scratch, options.disks, alone),
        "folders": name_foreign_folder,
        "two-servers": share_place,
        "removals": lambda scratch, alone: remove_storage(scratch, options.removals, alone),
        "unfit": start_on_unfit_databases,
        "photos": lambda scratch, alone: send_hostile_photos(scratch, options.hostile or HOSTILE),
        "mutants": lambda scratch, alone: mail_mutants(scratch, options.mutants, seed),
        "clients": lambda scratch, alone: crowd_server(scratch, options.clients, options.seconds),
    }


def main() -> int:
    """Print the counts; return 1 if anything was lost, deleted or wrong."""
    parser = argparse.ArgumentParser(prog="python -m datasets.benchmark.attacks", description=__doc__)
    parser.add_argument("--kills", type=int, default=20, help="number of times the server is killed")
    parser.add_argument("--batch-kills", type=int, default=20)
    parser.add_argument("--outages", type=int, default=10)
    parser.add_argument("--disks", type=int, default=3)
    parser.add_argument("--removals", type=int, default=6)
    parser.add_argument("--mutants", type=int, default=10_000, help="number of damaged pictures")
    parser.add_argument("--clients", type=int, default=50, help="number of clients at once")
    parser.add_argument("--seconds", type=float, default=60.0, help="seconds during which they send requests")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--only", nargs="+", metavar="NAME", help=f"attacks, by default all: {', '.join(ATTACKS)}")
    parser.add_argument(
        "--hostile", nargs="+", metavar="KIND", choices=HOSTILE, help="kinds of hostile photos; by default all"
    )
    options = parser.parse_args()
    attacks = list_attacks(options)
    if unknown := set(options.only or ()) - attacks.keys():
        parser.error(f"there is no attack {', '.join(sorted(unknown))}")
    print(HEAD[0].ljust(WIDTH), *HEAD[1:], sep="  ")
    with tempfile.TemporaryDirectory() as name:
        alone = _read_alone(Path(name))
        tallies = [_run(attacks[attack], Path(name) / attack, alone) for attack in options.only or attacks]
    return 0 if all(tally.is_well for tally in tallies) else 1


def _read_alone(scratch: Path) -> Alone:
    with run_server(scratch / "alone", **SETTINGS) as server:
        return read_alone(server.url, load_boards())


def _run(attack: Attack, scratch: Path, alone: Alone) -> Tally:
    scratch.mkdir()
    started = monotonic()
    tally = attack(scratch, alone)
    _print(tally, monotonic() - started)
    return tally


def _print(tally: Tally, seconds: float) -> None:
    if tally.left_out:
        print(tally.name.ljust(WIDTH), f"left out: {tally.left_out}", sep="  ", flush=True)
        return
    counts = (tally.times, tally.accepted, tally.done, len(tally.lost), len(tally.deleted), len(tally.wrong))
    values = [str(count).rjust(len(head)) for head, count in zip(HEAD[1:], (*counts, round(seconds)), strict=True)]
    print(tally.name.ljust(WIDTH), *values, sep="  ", flush=True)
    if tally.answers:
        print(f"  answers: {', '.join(f'{answer} ({count})' for answer, count in sorted(tally.answers.items()))}")
    for note in tally.notes:
        print(f"  {note}", flush=True)
    for fault in [*tally.lost, *tally.deleted, *tally.wrong][:MAX_FAULTS]:
        print(f"  {fault}", flush=True)


if __name__ == "__main__":
    sys.exit(main())
