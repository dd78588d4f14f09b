"""The server as a command: page and API without any configuration."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import threading
import time
from collections.abc import Sequence
from types import FrameType
from typing import Any, cast

import uvicorn
from pydantic import ValidationError
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.app import create_app
from api.errors import build_error_document
from api.http.dependencies import Server
from api.http.errors import build_error_response
from api.http.limits import build_crowd_error
from api.http.middleware import PROBED
from api.render.qr_code import print_qr_code
from api.server import logs
from api.server.clients import find_client_group, is_everywhere, is_in_networks, is_loopback, list_spellings
from api.server.errors import ServerError, ServingError
from api.server.lan import Certificate, LanSite, list_lan_addresses, provide_certificate
from api.server.logs import Lines
from api.server.settings import PREFIX, Settings

HEAD_SECONDS, CROWDED_HEAD_SECONDS = 15.0, 2.0
"""Seconds within which a request's head must arrive, and the limit on a connection above the maximum. A guess."""
HEAD_BYTES = 32 * 1024
"""Maximum size of a request's head. Bounds memory."""
MAX_CONNECTIONS, KEPT_CONNECTIONS = 512, 64
"""Connections that are served, and further ones kept open to receive the answer that there are too many. A guess."""
CLOSING_SECONDS = 5
"""Seconds a connection has to close after the last answer: a guess at the time a slow client needs."""
LOOKING_SECONDS = 0.1
"""Seconds between checks while the server is stopping. A guess."""
ABANDONED_SECONDS = 5.0
"""Seconds after the last answer in which threads that nobody waits for may still end. A guess."""


class Protocol(H11Protocol):
    """HTTP/1.1 that closes a connection whose head does not arrive, and answers an invalid head with our own error.

    If a client, or all clients together, have too many connections open, a further one may request only probes.
    """

    connections: set[Protocol]  # type: ignore[assignment]

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        served = cast(_Served, self.config.app)
        host = self.client[0] if self.client else ""
        self._group, self._crowded = find_client_group(host), False
        self._made = self.loop.time()
        if self._is_one_too_many(host, served.settings):
            self._crowded, self.app = True, served.serve_probes
        self._patience = self.loop.call_later(
            CROWDED_HEAD_SECONDS if self._crowded else HEAD_SECONDS, self._end_if_silent
        )
        if len(self.connections) > MAX_CONNECTIONS + KEPT_CONNECTIONS:
            min(self.connections, key=lambda other: (not other._crowded, other._made)).transport.abort()

    def _is_one_too_many(self, host: str, settings: Settings) -> bool:
        """Return whether this connection exceeds a limit; the limit for a single client does not apply to proxies."""
        served = [other._group for other in self.connections if not other._crowded]
        if len(served) > MAX_CONNECTIONS:
            return True
        return served.count(self._group) > settings.connections_per_client and not is_in_networks(
            host, settings.proxies
        )

    def connection_lost(self, exc: Exception | None) -> None:
        self._patience.cancel()
        super().connection_lost(exc)

    def _end_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answer a request whose head is invalid or too long."""
        body = json.dumps(build_error_document(ServerError("bad_request", details={"reason": msg}))).encode()
        head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n"
        self.transport.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.transport.close()


class _Served:
    """The app and the settings that the protocol needs."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.settings = settings
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        await self._app(scope, receive, send)

    async def serve_probes(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve health probes, and refuse all other requests."""
        if scope["path"] in PROBED:
            await self._app(scope, receive, send)
        else:
            await build_error_response(build_crowd_error())(scope, receive, send)


class _Patient(uvicorn.Server):
    """A server that prints its address once it listens; when stopped, it settles its jobs and sends the answers it
    owes.

    A second stop signal ends both at once: unfinished jobs stay queued for the next start.
    """

    def __init__(self, config: uvicorn.Config, server: Server) -> None:
        super().__init__(config)
        self._held, self._seconds = server, server.settings.stop_seconds
        self._hurried = False

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            for server in self.servers:
                for listening in server.sockets:
                    host, port = listening.getsockname()[:2]
                    self._print_address(host, port)

    def _print_address(self, host: str, port: int) -> None:
        """Print the address that others can open, or this machine alone; for phones also as a QR code."""
        site, scheme = self._held.site, "https" if self.config.is_ssl else "http"
        name = "localhost" if is_everywhere(host) else host
        print(f"Wondertally: {site.address if site else _build_address(name, port, scheme)}", flush=True)
        if site is None or not site.fingerprint:
            return
        print(f"On this machine: {_build_address('localhost', port, 'https')}")
        print(print_qr_code(site.address))
        print("Scan it with a phone in the same network. Its browser warns once: this machine made the certificate.")
        print(f"SHA-256 of the certificate: {site.fingerprint}")
        pairing = f"{site.address}/#pair={self._held.paired.code}"
        print(f"A phone may also enrol and correct once it has opened {pairing}", flush=True)

    async def serve(self, sockets: list[socket.socket] | None = None) -> None:
        """Serve until stopped; a thread that is stuck then, in a disk or a database, does not keep the process."""
        await super().serve(sockets)
        abandon = threading.Timer(ABANDONED_SECONDS, os._exit, (0,))
        abandon.daemon = True
        abandon.start()

    async def main_loop(self) -> None:
        await super().main_loop()
        answers_end = time.monotonic() + self._seconds - CLOSING_SECONDS
        stopping = asyncio.ensure_future(self._held.stop(self._seconds))
        while not stopping.done() and not self._hurried:
            await asyncio.sleep(LOOKING_SECONDS)
        if self._hurried:
            await self._held.stop(0.0)
        await stopping
        answers = set(self.server_state.tasks)
        while not (self._hurried or time.monotonic() > answers_end or all(answer.done() for answer in answers)):
            await asyncio.sleep(LOOKING_SECONDS)

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self._held.jobs.refuse()
        self._hurried = self.should_exit
        self.should_exit = True


def run_server(host: str, port: int, settings: Settings | None = None, is_lan: bool = False) -> None:
    """Serve until stopped; the address is printed once photos can be read.

    With `is_lan` it is served by HTTPS to the local network. Raises ServingError.
    """
    settings = settings or read_settings()
    logs.configure_logging(Lines.of(settings.log_format, settings.log_level))
    addresses = list_lan_addresses()
    certificate = _provide_certificate(settings, addresses) if is_lan else None
    with _listening(host, port) as listening:
        bound = listening.getsockname()
        names = {host.lower(), bound[0], *(addresses if is_everywhere(bound[0]) else ())}
        app = create_app(settings, names, find_site(bound[0], bound[1], addresses, certificate))
        config = uvicorn.Config(
            _Served(app, settings),
            http=Protocol,
            ws="none",
            h11_max_incomplete_event_size=HEAD_BYTES,
            proxy_headers=bool(settings.proxies),
            forwarded_allow_ips=list_spellings(settings.proxies),
            timeout_graceful_shutdown=CLOSING_SECONDS,
            server_header=False,
            access_log=False,
            log_config=None,
            ssl_certfile=certificate.certificate if certificate else None,
            ssl_keyfile=certificate.key if certificate else None,
        )
        _Patient(config, app.state.server).run([listening])


def _provide_certificate(settings: Settings, addresses: Sequence[str]) -> Certificate:
    try:
        return provide_certificate(settings.data / "lan", addresses)
    except OSError as error:
        raise ServingError("bad_settings", details={"settings": [f"{PREFIX}DATA: {error}"]}) from error


def find_site(host: str, port: int, addresses: Sequence[str], certificate: Certificate | None) -> LanSite | None:
    """Find the address at which other devices reach a server that listens at a host; None if none do."""
    reached = next(iter(addresses), "localhost") if is_everywhere(host) else host
    if is_loopback(reached):
        return None
    address = _build_address(reached, port, "https" if certificate else "http")
    return LanSite(address, certificate.fingerprint if certificate else "")


def _build_address(host: str, port: int, scheme: str = "http") -> str:
    return f"{scheme}://{f'[{host}]' if ':' in host else host}:{port}"


def _listening(host: str, port: int) -> socket.socket:
    """Open the listening socket, before anything slow is done; `::` accepts IPv4 connections as well."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        is_dual = family == socket.AF_INET6 and socket.has_dualstack_ipv6()
        return socket.create_server(address[:2], family=family, backlog=MAX_CONNECTIONS, dualstack_ipv6=is_dual)
    except (OSError, UnicodeError) as error:
        raise ServingError("cannot_listen", details={"host": host, "port": port, "reason": str(error)}) from error


def read_settings() -> Settings:
    """Read the settings of the environment; raises ServingError `bad_settings`."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = [f"{PREFIX}{str(detail['loc'][0]).upper()}: {detail['msg']}" for detail in error.errors()]
        raise ServingError("bad_settings", details={"settings": wrong}) from error
