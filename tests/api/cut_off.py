"""A proxy before PostgreSQL that can be cut off, or stand still, like a network."""

from __future__ import annotations

import selectors
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

from sqlalchemy import make_url

PIECE_BYTES = 64 * 1024
LOOKING_SECONDS = 0.05


class CutOff:
    """A listener in a folder like PostgreSQL's, which forwards everything while it is whole."""

    def __init__(self, url: str, folder: Path) -> None:
        self._server = _socket_of(str(make_url(url).query["host"]))
        self._own = _socket_of(str(folder))
        self.url = make_url(url).update_query_dict({"host": str(folder)}).render_as_string(False)
        self._pairs: dict[socket.socket, socket.socket] = {}
        self._listening = _listen(self._own)
        self._is_cut, self._stands_still, self._ended = Event(), Event(), Event()
        self._thread = Thread(target=self._pass_on, daemon=True)
        self._thread.start()

    def cut(self) -> None:
        """End all connections, and accept no more."""
        self._is_cut.set()

    def stand_still(self) -> None:
        """Accept connections, and send nothing."""
        self._stands_still.set()

    def mend(self) -> None:
        """Resume normal operation."""
        self._is_cut.clear()
        self._stands_still.clear()

    def end(self) -> None:
        """Stop."""
        self._ended.set()
        self._thread.join()
        self._drop()
        self._listening.close()

    def _pass_on(self) -> None:
        while not self._ended.is_set():
            if self._is_cut.is_set():
                self._drop()
            with selectors.DefaultSelector() as selector:
                for connection in (self._listening, *self._pairs):
                    selector.register(connection, selectors.EVENT_READ)
                ready = [] if self._stands_still.wait(0) else selector.select(LOOKING_SECONDS)
                if self._stands_still.is_set():
                    self._ended.wait(LOOKING_SECONDS)
                    continue
                for key, _ in ready:
                    self._serve(key.fileobj)

    def _serve(self, ready: object) -> None:
        if ready is self._listening:
            client, _ = self._listening.accept()
            if self._is_cut.is_set():
                client.close()
                return
            server = socket.socket(socket.AF_UNIX)
            server.connect(self._server)
            self._pairs[client], self._pairs[server] = server, client
            return
        assert isinstance(ready, socket.socket)
        if (other := self._pairs.get(ready)) is None:
            return
        with suppress(OSError):
            if data := ready.recv(PIECE_BYTES):
                other.sendall(data)
                return
        for connection in (ready, other):
            self._pairs.pop(connection, None)
            connection.close()

    def _drop(self) -> None:
        for connection in self._pairs:
            connection.close()
        self._pairs.clear()


def _socket_of(folder: str) -> str:
    return f"{folder}/.s.PGSQL.5432"


def _listen(path: str) -> socket.socket:
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(path)
    listening.listen(64)
    return listening


@contextmanager
def cut_off(url: str, folder: Path) -> Iterator[CutOff]:
    """Return a proxy before a PostgreSQL database."""
    proxy = CutOff(url, folder)
    try:
        yield proxy
    finally:
        proxy.end()
