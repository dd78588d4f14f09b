"""The server's own certificate: kept while it fits, made anew for another address, readable by its user alone."""

from __future__ import annotations

import stat
from pathlib import Path

import pytest

from api.cli.serve import find_site
from api.server.clients import is_loopback
from api.server.lan import list_lan_addresses, provide_certificate


def test_a_certificate_is_kept_until_an_address_is_new(tmp_path: Path) -> None:
    folder = tmp_path / "data" / "lan"
    first = provide_certificate(folder, ["192.0.2.9"])
    assert provide_certificate(folder, ["192.0.2.9"]) == first
    assert provide_certificate(folder, []) == first
    assert provide_certificate(folder, ["192.0.2.10"]).fingerprint != first.fingerprint
    assert stat.S_IMODE(first.key.stat().st_mode) == 0o600
    assert stat.S_IMODE(folder.parent.stat().st_mode) == 0o700


def test_a_damaged_certificate_is_made_anew(tmp_path: Path) -> None:
    first = provide_certificate(tmp_path, [])
    first.key.write_text("damaged")
    assert provide_certificate(tmp_path, []).fingerprint != first.fingerprint


def test_addresses_in_the_network_are_no_loopback_ones() -> None:
    assert not any(map(is_loopback, list_lan_addresses()))


@pytest.mark.parametrize(
    ("host", "addresses", "site"),
    [
        ("0.0.0.0", ["192.0.2.9", "192.0.2.10"], "http://192.0.2.9:8199"),
        ("::", ["192.0.2.9"], "http://192.0.2.9:8199"),
        ("192.0.2.7", ["192.0.2.9"], "http://192.0.2.7:8199"),
        ("0.0.0.0", [], None),
        ("127.0.0.1", ["192.0.2.9"], None),
    ],
)
def test_the_printed_address_is_one_that_others_open(host: str, addresses: list[str], site: str | None) -> None:
    found = find_site(host, 8199, addresses, None)
    assert (found and found.address) == site
