"""Identity of a client, by its address and its user, and the host names under which it may address this server."""

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
"""Key by which the client of the present request is counted; empty for the server's own work."""

_IPV6_BITS = 64
"""Prefix length of the smallest IPv6 network of a provider's customer: all its addresses count as one client."""
_MAPPED_BITS = 96
"""Length of the prefix before the IPv4 address in an IPv4-mapped IPv6 address."""

_HOST_NAME = r"[a-z0-9_-]+(?:\.[a-z0-9_-]+)*"
_HOST_HEADER = re.compile(rf"(?:\[([0-9a-f:.]+)\]|({_HOST_NAME})\.?)(?::[0-9]*)?")
ANY_HOST = "*"
"""Wildcard for any name among the known hosts."""


def find_client_group(host: str) -> str:
    """Return the key by which a client is counted: its IPv4 address, or the first 64 bits of an IPv6 address."""
    address = parse_address(host)
    if isinstance(address, IPv6Address):
        return str(ip_network((address, _IPV6_BITS), strict=False))
    return host if address is None else str(address)


def parse_address(host: str) -> IPv4Address | IPv6Address | None:
    """Parse an address, an IPv4-mapped IPv6 address as IPv4; None for a name."""
    try:
        address = ip_address(host)
    except ValueError:
        return None
    return (isinstance(address, IPv6Address) and address.ipv4_mapped) or address


def parse_networks(value: str) -> tuple[Network, ...]:
    """Parse addresses and networks separated by commas, IPv4-mapped ones as IPv4.

    Raises ValueError.
    """
    return tuple(_undress(ip_network(word.strip())) for word in value.split(",") if word.strip())


def list_spellings(networks: Iterable[Network]) -> list[str]:
    """List networks in every notation that a proxy may use, IPv4 ones also as IPv4-mapped IPv6."""
    return [spelling for network in networks for spelling in _spell(network)]


def is_in_networks(host: str, networks: Iterable[Network]) -> bool:
    """Return whether an address is in one of the networks."""
    address = parse_address(host)
    return address is not None and any(address in network for network in networks)


def is_loopback(host: str) -> bool:
    """Return whether a host's name or address is this machine's own."""
    address = parse_address(host)
    return host == "localhost" if address is None else address.is_loopback


def is_everywhere(host: str) -> bool:
    """Return whether a host to listen at stands for all addresses of this machine."""
    address = parse_address(host)
    return address is not None and address.is_unspecified


def parse_hosts(value: str) -> frozenset[str]:
    """Parse host names separated by commas; raises ValueError."""
    names = frozenset(word.strip().lower() for word in value.split(",") if word.strip())
    for name in sorted(names - {ANY_HOST}):
        if not re.fullmatch(_HOST_NAME, name):
            raise ValueError(f"a host's name is wanted, without a port, as in tally.example.org, but not {name!r}")
    return names


def is_known_host(header: str, names: Collection[str], addresses: Collection[str]) -> bool:
    """Return whether a Host header names this machine itself, one of the addresses, or one of the names.

    A page under a name that was pointed to this machine sends that name, wherever it resolves to. Names under
    `.localhost` are always this machine itself and cannot be pointed elsewhere (RFC 6761, section 6.3).
    """
    if ANY_HOST in names:
        return True
    if (match := _HOST_HEADER.fullmatch(header.strip().lower())) is None:
        return False
    host = match[1] or match[2]
    if (address := parse_address(host)) is None:
        return host == "localhost" or host.endswith(".localhost") or host in names or host in addresses
    return address.is_loopback or address in {parse_address(known) for known in addresses} or host in names


def is_of_other_user(client: tuple[str, int], server: tuple[str, int]) -> bool:
    """Return whether a local connection, by its two ends, comes from a program of another user, such as a proxy.

    A connection whose other end no local process holds does not. Both ends identify it: the port may have been released
    a moment ago by a connection to another server.
    """
    ends = _clean_end(client), _clean_end(server)
    try:
        holders = list(_list_holders(psutil.net_connections(kind="tcp"), ends))
    except psutil.AccessDenied:  # a system that shows each user only their own programs
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
    """Yield the processes that hold the first end of a connection; None for one that this user may not inspect."""
    return (connection.pid for connection in connections if _clean_ends(connection) == ends)


def _clean_ends(connection: Any) -> Ends | None:
    """Return both ends of a connection, its own first; None if it is listening."""
    if not connection.laddr or not connection.raddr:
        return None
    return _clean_end(connection.laddr), _clean_end(connection.raddr)


def _clean_end(end: tuple[str, int]) -> tuple[str, int]:
    """Return one end of a connection with its address in one notation."""
    return str(parse_address(end[0]) or end[0]), end[1]


def _is_own(process: int) -> bool:
    with suppress(psutil.Error):
        return psutil.Process(process).username() == psutil.Process().username()
    return False


def _list_own_ends() -> set[Ends | None]:
    """Return the ends of all connections of this user's programs."""
    ends = set()
    for process in psutil.process_iter():
        with suppress(psutil.Error):
            if _is_own(process.pid):
                ends |= {_clean_ends(connection) for connection in process.net_connections(kind="tcp")}
    return ends
