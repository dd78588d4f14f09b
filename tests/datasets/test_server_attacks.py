"""A small attack of each kind on a server: all is answered, nothing is lost, and no answer is a fault of the server.

At full size: python -m datasets.benchmark.server_attacks.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from datasets.benchmark.server_attacks import SETTINGS, ask_from_many, find_faults, send_mutants
from tests.api.serving import Running, running

MUTANTS, CLIENTS, SECONDS = 40, 12, 5.0


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    with running(tmp_path_factory.mktemp("attacked") / "data", **SETTINGS, readers=1) as server:
        yield server


@pytest.mark.soak
def test_damaged_pictures_are_refused_or_read(attacked: Running) -> None:
    answers = send_mutants(attacked.url, 500_000, MUTANTS)
    assert answers.counts.total() >= MUTANTS
    assert (answers.wrong, find_faults(attacked)) == ([], [])
    assert attacked.photos() == set()


@pytest.mark.soak
def test_many_clients_are_answered_and_no_photo_is_lost(attacked: Running) -> None:
    answers = ask_from_many(attacked.url, CLIENTS, SECONDS)
    assert answers.wrong == []
    assert answers.counts["201"] > 0
    assert len(answers.seconds) > CLIENTS
    assert {*answers.counts} <= {"200", "201", "429 queue_full"}
