"""Every operation of the API on data that really exists, one after another and in any order."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any, ClassVar

import pytest
import schemathesis
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, rule, run_state_machine_as_test
from schemathesis.config import SchemathesisConfig

from tests.api.http.operations import REQUESTS, Body, Things, build_request, list_names
from tests.api.serving import Running, document_of_the_api, error_in, running

ROWS, STEPS = int(os.environ.get("WONDERTALLY_TEST_OPERATION_ROWS", "4")), 60
"""Number of sequences of requests in any order, and their length."""
PATIENCE_SECONDS = 300
SEEDS = st.integers(0, 2**32)
_CONFIG = SchemathesisConfig.from_dict({"phases": {"coverage": {"enabled": False}, "stateful": {"enabled": False}}})
OPERATIONS = {
    operation["operationId"]: (method.upper(), path)
    for path, methods in document_of_the_api()["paths"].items()
    for method, operation in methods.items()
}
DELETIONS_LAST = sorted(OPERATIONS, key=lambda name: (OPERATIONS[name][0] == "DELETE", name))


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """Return a server that reads photos, with generous limits for its clients."""
    limits = {"requests_per_minute": 1_000_000, "readings_per_minute": 1_000_000, "readers": 1, "queue": 1000}
    with running(tmp_path_factory.mktemp("operations") / "data", **limits) as started:
        yield started


@pytest.fixture(scope="module")
def things(served: Running) -> Things:
    return Things(served)


def name_things(things: Things, operation: str) -> Body:
    """Return values for the names in an operation's address, all of them really present."""
    _, path = OPERATIONS[operation]
    return {name: find() for name, find in list_names(things, operation).items() if f"{{{name}}}" in path}


def ask(things: Things, operation: str, names: Body, sent: Body, token: dict[str, str]) -> Any:
    """Request an operation; new items are recorded, and deletions too."""
    method, path = OPERATIONS[operation]
    headers = {**token, **sent.get("headers", {})}
    answer = things.client.request(
        method, path.format(**names), **{**sent, "headers": headers}, timeout=PATIENCE_SECONDS
    )
    if answer.is_success:
        if answer.status_code in (201, 202) and '"token"' in answer.text:
            things.note(answer.json())
        things.forget(operation, names)
    return answer


def describe_faults(served: Running) -> list[Any]:
    return [line for line in served.lines() if line["event"] == "fault"]


@pytest.mark.soak
def test_each_operation_succeeds_on_existing_data(served: Running, things: Things) -> None:
    assert REQUESTS.keys() <= OPERATIONS.keys()
    refused = {}
    for operation in DELETIONS_LAST:
        sent, names = build_request(things, operation), name_things(things, operation)
        answer = ask(things, operation, names, sent, things.find_owner(names))
        if not answer.is_success:
            refused[operation] = (answer.status_code, answer.text[:300])
    print(f"{len(OPERATIONS) - len(refused)} of {len(OPERATIONS)} operations did something")
    assert refused == {}
    assert describe_faults(served) == []


class AnyOrder(RuleBasedStateMachine):
    """Requests in any order, about existing, deleted and unknown items, with real or made-up bodies."""

    served: ClassVar[Running]
    things: ClassVar[Things]
    strategies: ClassVar[dict[str, Any]]
    statuses: ClassVar[Counter[tuple[str, int]]]
    faults: ClassVar[list[str]]

    @rule(operation=st.sampled_from(sorted(OPERATIONS)))
    def ask_rightly(self, operation: str) -> None:
        """Send an owner's request about existing items."""
        sent, names = build_request(self.things, operation), name_things(self.things, operation)
        self._ask(operation, names, sent, self.things.find_owner(names))

    @rule(seed=SEEDS)
    def ask_what_nothing_was_done_by(self, seed: int) -> None:
        """Send an operation that was not used so far, if there is one."""
        self.ask_rightly(Random(seed).choice(self._list_undone() or sorted(OPERATIONS)))

    @rule(operation=st.sampled_from(sorted(OPERATIONS)), data=st.data())
    def ask_with_what_is_made_up(self, operation: str, data: st.DataObject) -> None:
        """Send a body or query that the document of the API allows; now and then as a stranger."""
        case, names = data.draw(self.strategies[operation]), name_things(self.things, operation)
        case.path_parameters = {name: names[name] for name in case.path_parameters or {}}
        token = self.things.find_owner(names) if data.draw(st.booleans()) else {}
        answer = case.call(headers=token, timeout=PATIENCE_SECONDS)
        text = answer.content.decode(errors="replace")
        self._note(operation, answer.status_code, text, case.as_curl_command())
        if answer.status_code in (201, 202) and '"token"' in text:
            self.things.note(answer.json())
        if answer.status_code < 300:
            self.things.forget(operation, names)

    @rule(operation=st.sampled_from(sorted(name for name in OPERATIONS if "{" in OPERATIONS[name][1])), seed=SEEDS)
    def ask_about_what_is_not_there(self, operation: str, seed: int) -> None:
        """Ask for an item that was deleted, or never existed: it is refused."""
        names = name_things(self.things, operation)
        random = Random(seed)  # hypothesis must not draw by the server's state
        which = random.choice(sorted(names))
        never = [10**6] if which in ("table", "number", "correction") else ["nobody", "a" * 22, "\N{SNOWMAN}", "%00"]
        names[which] = random.choice([*never, *self.things.gone.get(which, [])])
        sent = build_request(self.things, operation)
        answer = self._ask(operation, names, sent, self.things.find_owner(names))
        assert 400 <= answer.status_code < 500 or operation in _SILENT, (operation, names, answer.text)

    @invariant()
    def what_was_deleted_is_gone(self) -> None:
        for reading in self.things.gone["reading_id"][-1:]:
            assert self.things.client.get(f"/v1/readings/{reading}").status_code == 404
        for event in self.things.gone["event_id"][-1:]:
            assert self.things.client.get(f"/v1/events/{event}").status_code == 404
        for game in self.things.gone["game_id"][-1:]:
            assert self.things.client.get(f"/v1/games/{game}").status_code == 404

    def _list_undone(self) -> list[str]:
        return sorted(OPERATIONS.keys() - {name for name, status in self.statuses if status < 300})

    def _ask(self, operation: str, names: Body, sent: Body, token: dict[str, str]) -> Any:
        answer = ask(self.things, operation, names, sent, token)
        self._note(operation, answer.status_code, answer.text, str(names))
        if answer.status_code >= 400 and operation not in ("get_readiness",):
            error_in(answer)
        return answer

    def _note(self, operation: str, status: int, text: str, about: str) -> None:
        self.statuses[operation, status] += 1
        if status >= 500:
            self.faults.append(f"{operation} {about[:600]}: {status} {text[:300]}")


_SILENT = {"delete_enrolment", "undo_enrolment", "undo_wonder", "drop_board_draft", "drop_tile_shapes"}
"""Operations that may report the absence of an item that never existed, too, or bring it back."""


@pytest.mark.soak
@pytest.mark.fuzz
def test_operations_in_any_order_cause_no_server_error(served: Running, things: Things) -> None:
    """Figures: the printed line; WONDERTALLY_TEST_OPERATION_ROWS is the number of sequences."""
    schema: Any = schemathesis.openapi.from_url(f"{served.url}/openapi.json", config=_CONFIG)
    made_up = {
        one.definition.raw["operationId"]: one.as_strategy() for one in (r.ok() for r in schema.get_all_operations())
    }

    class Machine(AnyOrder):
        pass

    Machine.served, Machine.things, Machine.strategies = served, things, made_up
    Machine.statuses, Machine.faults = Counter(), []
    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=ROWS,
            stateful_step_count=STEPS,
            deadline=None,
            database=None,
            phases=[Phase.generate],
            suppress_health_check=list(HealthCheck),
        ),
    )
    chance = Machine.statuses.total()
    left_over = OPERATIONS.keys() - {name for name, status in Machine.statuses if status < 300}
    for operation in sorted(left_over, key=DELETIONS_LAST.index):
        Machine().ask_rightly(operation)
    undone = sorted(OPERATIONS.keys() - {name for name, status in Machine.statuses if status < 300})
    print(
        f"{chance} requests in any order and {len(left_over)} of what they left over, of {len(OPERATIONS)} operations; "
        f"nothing done by {undone}; {sum(n for (_, s), n in Machine.statuses.items() if s >= 500)} of 5xx"
    )
    assert Machine.faults == []
    assert undone == []
    assert describe_faults(served) == []
