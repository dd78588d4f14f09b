"""The plan's arithmetic: the limits of a closed network, and the effect of shards and caches."""

from __future__ import annotations

import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.benchmark import plan
from datasets.benchmark.plan import (
    MAX_BUSY_SHARE,
    SHARD_PARTS,
    Demand,
    compute_demand,
    compute_outlook,
    count_shards,
    put_into,
)

TEXT = Path(plan.__file__).with_name("plan.toml").read_text(encoding="utf-8")
INPUTS = tomllib.loads(TEXT)
COMMENTS = [line.partition("#")[2] for line in TEXT.splitlines() if "#" in line]
SECONDS = st.floats(0.0001, 0.1)
DEMANDS = st.builds(
    Demand, alone=st.floats(0.1, 10), shared=st.fixed_dictionaries({"coordinator": SECONDS, "storage's link": SECONDS})
)


@given(demand=DEMANDS, workers=st.integers(1, 300))
def test_no_part_exceeds_full_load_and_no_worker_its_own_speed(demand: Demand, workers: int) -> None:
    plan = compute_outlook(demand, workers)
    assert all(0 <= share <= 1 + 1e-9 for share in plan.busy.values())
    assert plan.rate <= workers / (demand.alone + sum(demand.shared.values())) * (1 + 1e-9)
    assert plan.rate <= 1 / max(demand.shared.values()) * (1 + 1e-9)


@given(demand=DEMANDS, workers=st.integers(1, 100))
def test_more_workers_are_never_slower_and_speed_up_at_most_linearly(demand: Demand, workers: int) -> None:
    one, two = compute_outlook(demand, workers), compute_outlook(demand, 2 * workers)
    assert one.rate <= two.rate * (1 + 1e-9)
    assert two.rate <= 2 * one.rate * (1 + 1e-9)


def test_twice_the_workers_halve_the_time_until_another_part_is_the_bottleneck() -> None:
    demand = Demand(1.0, {"coordinator": 0.01})
    assert compute_outlook(demand, 20).rate / compute_outlook(demand, 10).rate == pytest.approx(2, rel=0.01)
    assert compute_outlook(demand, 10).busiest[0] == "workers"
    assert compute_outlook(demand, 800).rate / compute_outlook(demand, 400).rate == pytest.approx(1, rel=0.01)
    assert compute_outlook(demand, 800).busiest[0] == "coordinator"
    assert compute_outlook(demand, 800).rate == pytest.approx(100, rel=0.01)


def test_a_single_worker_never_waits() -> None:
    assert compute_outlook(Demand(1.0, {"a": 0.25, "b": 0.75}), 1).rate == 0.5


def test_two_customers_of_one_server_match_the_formula() -> None:
    """A machine repairman with two machines: the probability that the server idles is 1 / (1 + 2r + 2r²)."""
    alone, served = 2.0, 0.5
    ratio = served / alone
    idle = 1 / (1 + 2 * ratio + 2 * ratio**2)
    assert compute_outlook(Demand(alone, {"server": served}), 2).busy["server"] == pytest.approx(1 - idle)


@given(workers=st.integers(1, 2000))
def test_with_the_required_shards_no_coordinator_is_overloaded(workers: int) -> None:
    shards = count_shards(compute_demand(INPUTS), workers)
    plan = compute_outlook(compute_demand(INPUTS, shards=shards), min(workers, 300))
    assert all(plan.busy[part] <= MAX_BUSY_SHARE + 1e-9 for part in SHARD_PARTS)
    assert shards == 1 or count_shards(compute_demand(INPUTS, shards=shards), workers) == 1


def test_fetching_once_halves_the_load_on_the_storage() -> None:
    once, twice = compute_demand(INPUTS, fetches=1), compute_demand(INPUTS, fetches=2)
    assert twice.shared["storage's link"] == 2 * once.shared["storage's link"]
    assert twice.alone > once.alone


NUMBERS = st.dictionaries(
    st.sampled_from(["count", "bytes", "core_seconds"]), st.floats(0, 1e9, allow_subnormal=False), min_size=1
)


@given(inputs=st.dictionaries(st.sampled_from(["photos", "reading", "measured"]), NUMBERS, min_size=1))
def test_measured_inputs_replace_only_their_defaults(inputs: dict[str, dict[str, float]]) -> None:
    text = put_into(TEXT, inputs)
    read = tomllib.loads(text)
    for table, values in inputs.items():
        assert {name: read[table][name] for name in values} == pytest.approx(values, rel=1e-3)
    for table, before in INPUTS.items():
        for name in before.keys() - inputs.get(table, {}).keys():
            assert read[table][name] == before[name]
    assert [line.partition("#")[2] for line in text.splitlines() if "#" in line] == COMMENTS
    assert put_into(text, inputs) == text
