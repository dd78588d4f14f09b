"""The log: whole JSON lines with ids in them, and nothing private."""

from __future__ import annotations

import json
import logging
import string
from ipaddress import ip_address, ip_network
from typing import Any

from hypothesis import given
from hypothesis import strategies as st
from structlog.contextvars import bound_contextvars

from api.server.logs import FIELDS, build_formatter, find_client_network
from api.server.tokens import generate_id, generate_token, is_id


def written(event: str, fault: BaseException | None = None, **fields: Any) -> str:
    """Return the line of an event."""
    about = None if fault is None else (type(fault), fault, fault.__traceback__)
    record = logging.getLogger("wondertally").makeRecord(
        "wondertally", logging.INFO, __file__, 1, event, (), about, extra=fields
    )
    return build_formatter(as_json=True).format(record)


@given(st.text(), st.dictionaries(st.sampled_from(FIELDS), st.text() | st.integers() | st.floats(allow_nan=False)))
def test_a_log_line_is_one_json_object_with_the_given_fields(event: str, fields: dict[str, Any]) -> None:
    line = written(event, **fields)
    assert "\n" not in line
    record = json.loads(line)
    assert list(record)[:3] == ["time", "level", "event"]
    assert (record["event"], record["level"]) == (event, "info")
    assert {name: record[name] for name in fields} == fields


def test_other_fields_are_left_out() -> None:
    record = json.loads(written("request", token="secret", photo="holiday.jpg", status=200))
    assert set(record) == {"time", "level", "event", "logger", "status"}


def test_a_log_line_contains_the_ids_of_its_context() -> None:
    with bound_contextvars(request="r1", reading="abc"):
        record = json.loads(written("anything"))
    assert (record["request"], record["reading"]) == ("r1", "abc")
    assert "reading" not in json.loads(written("anything"))


def test_an_internal_error_is_logged_with_its_place_but_no_variables() -> None:
    def broken(token: str) -> None:
        raise RuntimeError("a fault")

    try:
        broken("very-secret-token")
    except RuntimeError as error:
        line = written("fault", error)
    exception = json.loads(line)["exception"][0]
    assert (exception["exc_type"], exception["exc_value"]) == ("RuntimeError", "a fault")
    assert exception["frames"][-1]["name"] == "broken"
    assert "very-secret-token" not in line


def test_log_text_for_a_terminal_has_the_same_content() -> None:
    record = logging.getLogger("uvicorn.error").makeRecord("uvicorn.error", 30, __file__, 1, "hello %s", ("you",), None)
    line = build_formatter(as_json=False).format(record)
    assert "hello you" in line
    assert "warning" in line


@given(st.ip_addresses())
def test_a_client_is_logged_by_its_network(address: Any) -> None:
    network = ip_network(find_client_network(str(address)))
    meant = getattr(address, "ipv4_mapped", None) or address
    assert meant in network
    assert network.num_addresses > 200
    assert str(meant) not in find_client_network(str(address)) or meant == network.network_address


@given(st.ip_addresses(v=4))
def test_an_ipv4_client_of_a_dual_stack_server_is_logged_as_any_other(address: Any) -> None:
    assert find_client_network(f"::ffff:{address}") == find_client_network(str(address))


@given(st.text(string.printable, max_size=30))
def test_an_invalid_address_is_not_logged(host: str) -> None:
    try:
        ip_address(host)
    except ValueError:
        assert "/" in host or find_client_network(host) == ""


def test_ids_are_distinguished_from_tokens() -> None:
    assert is_id(generate_id())
    assert not is_id(generate_token())
    assert not is_id(generate_id() + "\n")
