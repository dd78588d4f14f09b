"""Commands in processes of their own, forked from one with the imports they need: such a start costs no imports.

Everything else is as from a shell: process id, environment, folder, streams, signals, children and exit status. Tests
that depend on the start of Python itself (its arguments, the language of the machine) need `subprocess` instead.
"""

from __future__ import annotations

import atexit
import os
import runpy
import signal
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import forkserver, reduction, util
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import DEVNULL, PIPE, CompletedProcess, TimeoutExpired
from threading import Thread
from types import TracebackType
from typing import IO, Any, Self

import fsspec.config

from api.reading.process_start import choose_start

COMMAND = "wondertally"
"""The module that is the command line."""
IMPORTED_LATE = (
    *("alembic.command", "alembic.context", "sqlalchemy.dialects.postgresql"),
    "uvicorn.protocols.http.h11_impl",
)
"""Modules that a server imports only once it starts."""
FORKS: Any = choose_start(
    "api.app", "api.batch.work", "api.cli.main", "api.service.worker", "distributed", "psycopg", *IMPORTED_LATE
)
"""The source of processes with the program's imports; a process of tests has one, shared by all."""

Stream = int | IO[Any] | None


class Process:
    """A running `python -m MODULE WORDS...`; its members have the names and meanings of subprocess.Popen's."""

    def __init__(
        self,
        words: Sequence[str],
        *,
        module: str = COMMAND,
        cwd: Path | None = None,
        env: Mapping[str, str] | None = None,
        stdout: Stream = None,
        stderr: Stream = None,
        text: bool = False,
    ) -> None:
        self.args = [module, *words]
        opened: list[int] = []
        self.stdout, out = _open_stream(stdout, 1, text, opened)
        self.stderr, err = _open_stream(stderr, 2, text, opened)
        surroundings = dict(os.environ if env is None else env)
        place = os.getcwd() if cwd is None else str(cwd)
        arguments = (module, list(words), place, surroundings, _Descriptor(out), _Descriptor(err))
        self._process: BaseProcess = FORKS.Process(target=_run_module, args=arguments)
        self._process.start()
        for descriptor in opened:
            os.close(descriptor)
        assert self._process.pid is not None
        self.pid = self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        self.wait()

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            assert timeout is not None
            raise TimeoutExpired(self.args, timeout)
        return self._process.exitcode

    def communicate(self, *, timeout: float | None = None) -> tuple[Any, Any]:
        contents: dict[int, Any] = {}
        streams = {number: stream for number, stream in enumerate((self.stdout, self.stderr)) if stream is not None}
        readers = [Thread(target=_read, args=(stream, number, contents)) for number, stream in streams.items()]
        for reader in readers:
            reader.start()
        self.wait(timeout)
        for reader in readers:
            reader.join()
        return contents.get(0), contents.get(1)

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            with suppress(ProcessLookupError):
                os.kill(self.pid, number)

    def terminate(self) -> None:
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        self.send_signal(signal.SIGKILL)


def run_process(
    words: Sequence[str],
    *,
    cwd: Path | None = None,
    env: Mapping[str, str] | None = None,
    stdout: Stream = PIPE,
    stderr: Stream = PIPE,
    text: bool = True,
    timeout: float = 300,
    check: bool = False,
) -> CompletedProcess[Any]:
    """Run the command to its end, and return its output; it is killed after a time limit."""
    with Process(words, cwd=cwd, env=env, stdout=stdout, stderr=stderr, text=text) as process:
        try:
            out, err = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = CompletedProcess(process.args, process.wait(), out, err)
    if check:
        done.check_returncode()
    return done


class _Descriptor:
    """An open file that a process gets with its arguments."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __reduce__(self) -> tuple[Any, ...]:
        return _receive, (reduction.DupFd(self.number),)


def _receive(sent: Any) -> _Descriptor:
    return _Descriptor(sent.detach())


def _open_stream(wanted: Stream, usual: int, text: bool, opened: list[int]) -> tuple[IO[Any] | None, int]:
    """Return the end of a stream that stays here, and the one passed on; `opened` gets those to close afterwards."""
    if wanted is None:
        return None, usual
    if not isinstance(wanted, int):
        return None, wanted.fileno()
    if wanted == DEVNULL:
        opened.append(os.open(os.devnull, os.O_WRONLY))
        return None, opened[-1]
    if wanted != PIPE:
        return None, wanted
    ours, theirs = os.pipe()
    opened.append(theirs)
    return open(ours, encoding="utf-8") if text else open(ours, "rb"), theirs


def _read(stream: IO[Any], number: int, contents: dict[int, Any]) -> None:
    with stream:
        contents[number] = stream.read()


def _run_module(
    module: str,
    words: Sequence[str],
    cwd: str,
    env: Mapping[str, str],
    out: _Descriptor,
    err: _Descriptor,
) -> None:
    """Become a process like any other: with these words, this environment and these streams."""
    for number in (signal.SIGINT, signal.SIGHUP):  # a shell in the background ignores them, as do its children
        signal.signal(number, signal.default_int_handler if number == signal.SIGINT else signal.SIG_DFL)
    for descriptor, usual in ((out, 1), (err, 2)):
        os.dup2(descriptor.number, usual)
        os.close(descriptor.number)
    os.environ.clear()
    os.environ.update(env)
    fsspec.config.set_conf_env(fsspec.config.conf)  # as it does when it is imported
    os.chdir(cwd)
    _start_fork_server()
    sys.argv = [module, *words]
    try:
        runpy.run_module(module, run_name="__main__", alter_sys=True)
    finally:
        atexit._run_exitfuncs()  # multiprocessing leaves them out


def _start_fork_server() -> None:
    """Let this process's future children be forked as well, from a process of its own that has all imports."""
    spawn, util.spawnv_passfds = util.spawnv_passfds, _fork_instead
    try:
        forkserver.ensure_running()
    finally:
        util.spawnv_passfds = spawn


def _fork_instead(path: bytes, args: Sequence[Any], passfds: Sequence[int]) -> int:
    """Run the program of `python -c PROGRAM` in a fork that has only these descriptors, like a fresh start."""
    if process := os.fork():
        return process
    for descriptor in map(int, os.listdir("/proc/self/fd")):
        if descriptor > 2 and descriptor not in passfds:
            with suppress(OSError):
                os.close(descriptor)
    with suppress(BaseException):
        exec(args[-1], {})
    os._exit(0)
