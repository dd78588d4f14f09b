"""Who a client is, by its address and its user, and under which names it may ask for this server."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from contextlib import suppress
from contextvars import ContextVar
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

import psutil

Network = IPv4Network | IPv6Network
Ends = tuple[tuple[str, int], tuple[str, int]]
"""Both ends of a connection, each an address and a port."""

asking_client = ContextVar("asking_client", default="")
"""What the client is counted by whose request is being answered; empty for what the server does by itself."""

_IPV6_BITS = 64
"""What one customer of a provider has at least: any of its addresses is the same client's."""
_MAPPED_BITS = 96
"""What an IPv6 address that stands for an IPv4 one has before that one."""

_HOST_NAME = r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*"
_HOST_HEADER = re.compile(rf"(?:\[([0-9a-f:.]+)\]|({_HOST_NAME})\.?)(?::[0-9]*)?")
ANY_HOST = "*"
"""Stands for every name among the hosts that are known."""


def find_client_group(host: str) -> str:
    """Find what a client is counted by: its IPv4 address, or the first 64 bits of an IPv6 address."""
    address = parse_address(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_BITS), strict=False))
    return host if address is None else str(address)


def parse_address(host: str) -> IPv4Address | IPv6Address | None:
    """Parse an address, an IPv4 address in IPv6's clothes as what it is; None for a name."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def parse_networks(value: str) -> tuple[Network, ...]:
    """Parse addresses and networks that are separated by commas, IPv4 in IPv6's clothes as what it is.

    Raises ValueError.
    """
    return tuple(_undress(ip_network(word.strip())) for word in value.split(",") if word.strip())


def list_spellings(networks: Iterable[Network]) -> list[str]:
    """List networks in every spelling that a proxy may write their addresses in: IPv4 ones in IPv6's clothes too."""
    return [spelling for network in networks for spelling in _spell(network)]


def is_in_networks(host: str, networks: Iterable[Network]) -> bool:
    """Whether an address lies in one of the networks."""
    address = parse_address(host)
    return address is not None and any(address in network for network in networks)


def is_loopback(host: str) -> bool:
    """Whether a host's name or address is this machine's own."""
    address = parse_address(host)
    return host == "localhost" if address is None else address.is_loopback


def parse_hosts(value: str) -> frozenset[str]:
    """Parse the names of hosts that are separated by commas; raises ValueError."""
    names = frozenset(word.strip().lower() for word in value.split(",") if word.strip())
    for name in sorted(names - {ANY_HOST}):
        if not re.fullmatch(_HOST_NAME, name):
            raise ValueError(f"a host's name is wanted, without a port, as in tally.example.org, but not {name!r}")
    return names


def is_known_host(header: str, names: Collection[str], addresses: Collection[str]) -> bool:
    """Whether a request's Host header names this machine itself, one of the addresses, or one of the names.

    A page whose name was made to lead here sends that name, whatever it leads to.
    """
    if ANY_HOST in names:
        return True
    if (match := _HOST_HEADER.fullmatch(header.strip().lower())) is None:
        return False
    host = match[1] or match[2]
    if (address := parse_address(host)) is None:
        return host == "localhost" or host in names or host in addresses
    return address.is_loopback or address in {parse_address(known) for known in addresses} or host in names


def is_of_other_user(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Whether a connection on this machine, by its two ends, comes from a program of another user, such as a proxy's.

    One whose other end nobody here holds open is not. Both ends tell it from others: a port may have been left a moment
    ago by a connection with another server.
    """
    ends = _clean_end(client), _clean_end(server)
    try:
        holders = list(_list_holders(psutil.net_connections(kind="tcp"), ends))
    except psutil.AccessDenied:  # where a system tells each user of their own programs alone
        return ends not in _list_own_ends()
    return any(holder is None or not _is_own(holder) for holder in holders)


def _undress(network: Network) -> Network:
    address = network.network_address
    if isinstance(address, IPv6Address) and address.ipv4_mapped and network.prefixlen >= _MAPPED_BITS:
        return IPv4Network((address.ipv4_mapped, network.prefixlen - _MAPPED_BITS))
    return network


def _spell(network: Network) -> Iterator[str]:
    yield str(network)
    if isinstance(network, IPv4Network):
        yield f"::ffff:{network.network_address}/{_MAPPED_BITS + network.prefixlen}"


def _list_holders(connections: Iterable[Any], ends: Ends) -> Iterator[int | None]:
    """List the processes that hold the first end of a connection; None is one that this user may not look into."""
    return (connection.pid for connection in connections if _clean_ends(connection) == ends)


def _clean_ends(connection: Any) -> Ends | None:
    """Both ends of a connection, its own first; None where it listens."""
    if not connection.laddr or not connection.raddr:
        return None
    return _clean_end(connection.laddr), _clean_end(connection.raddr)


def _clean_end(end: tuple[str, int]) -> tuple[str, int]:
    """One end of a connection, its address in one spelling."""
    return str(parse_address(end[0]) or end[0]), end[1]


def _is_own(process: int) -> bool:
    with suppress(psutil.Error):
        return psutil.Process(process).username() == psutil.Process().username()
    return False


def _list_own_ends() -> set[Ends | None]:
    """List the ends of all connections of this user's programs."""
    ends = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if _is_own(process.pid):
                ends |= {_clean_ends(connection) for connection in process.net_connections(kind="tcp")}
    return ends
