"""The server as a command: page and API with nothing to configure."""

from __future__ import annotations

import asyncio
import json
import socket
from typing import Any

import uvicorn
from pydantic import ValidationError
from uvicorn.protocols.http.h11_impl import H11Protocol

from api.answers import error_document
from api.app import create_app
from api.server_errors import ServerError, ServingError
from api.settings import PREFIX, Settings

HEAD_SECONDS = 15.0
"""How long a request's head may take."""
HEAD_BYTES = 32 * 1024
CONNECTIONS_MOST = 512
CLOSING_SECONDS = 5


class Protocol(H11Protocol):
    """HTTP/1.1, where a head that does not come ends the connection, and one that cannot be is refused in our shape."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self._patience = self.loop.call_later(HEAD_SECONDS, self._end_if_silent)

    def connection_lost(self, exc: Exception | None) -> None:
        self._patience.cancel()
        super().connection_lost(exc)

    def _end_if_silent(self) -> None:
        if self.cycle is None:
            self.transport.close()

    def send_400_response(self, msg: str) -> None:
        """Answer a head that is none, or too long."""
        body = json.dumps(error_document(ServerError("bad_request", details={"reason": msg}))).encode()
        head = b"HTTP/1.1 400 Bad Request\r\nContent-Type: application/json\r\nConnection: close\r\n"
        self.transport.write(head + b"Content-Length: %d\r\n\r\n" % len(body) + body)
        self.transport.close()


class _Announcing(uvicorn.Server):
    """Prints where it listens as soon as it does."""

    async def startup(self, sockets: list[Any] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            for server in self.servers:
                for listening in server.sockets:
                    host, port = listening.getsockname()[:2]
                    name = f"[{host}]" if ":" in host else host
                    print(f"Wondertally: http://{name}:{port}", flush=True)


def serve(host: str, port: int, settings: Settings | None = None) -> None:
    """Serve until interrupted; prints the address once photos can be read.

    Raises ServingError.
    """
    with _listening(host, port) as listening:
        config = uvicorn.Config(
            create_app(settings or read_settings()),
            http=Protocol,
            ws="none",
            h11_max_incomplete_event_size=HEAD_BYTES,
            limit_concurrency=CONNECTIONS_MOST,
            timeout_graceful_shutdown=CLOSING_SECONDS,
            server_header=False,
            access_log=False,
            log_level="warning",
        )
        _Announcing(config).run([listening])


def _listening(host: str, port: int) -> socket.socket:
    """The socket, before anything that takes time is done."""
    try:
        family, *_, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
        return socket.create_server(address[:2], family=family, backlog=CONNECTIONS_MOST)
    except (OSError, UnicodeError) as error:
        raise ServingError("cannot_listen", details={"host": host, "port": port, "reason": str(error)}) from error


def read_settings() -> Settings:
    """The settings of the environment; raises ServingError `bad_settings`."""
    try:
        return Settings()
    except ValidationError as error:
        wrong = [f"{PREFIX}{str(own['loc'][0]).upper()}: {own['msg']}" for own in error.errors()]
        raise ServingError("bad_settings", details={"settings": wrong}) from error
