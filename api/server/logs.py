"""The server's log: one line for each event, on standard error, as JSON for programs or as text on a terminal.

A line holds its time, level, event, and those of the fields below that the event has. Lines within a request carry the
request's id, lines about a reading or game its id, in every process. Names of photos, tokens and keys are not logged,
and a client only by its network.
"""

from __future__ import annotations

import logging
import sys
from dataclasses import dataclass
from ipaddress import ip_network
from typing import Literal

from structlog import contextvars, dev, processors, stdlib, tracebacks
from structlog.typing import EventDict, Processor, WrappedLogger

from api.server.clients import parse_address

Level = Literal["debug", "info", "warning", "error"]
Form = Literal["auto", "json", "text"]

FIELDS = (
    "request",
    "reading",
    "game",
    "method",
    "path",
    "status",
    "seconds",
    "client",
    "code",
    "photos",
    "stages",
    "doubtful",
    "doubts",
    "attempts",
    "readers",
    "reader",
    "waiting",
    "working",
    "expired",
    "strays",
    "file",
)
"""All fields of a line beside time, level, logger, event and exception; fields added by libraries are dropped."""
_NETWORK_BITS = {4: 24, 6: 48}
"""Prefix length of the logged network by version of IP. A guess."""


@dataclass(frozen=True, slots=True)
class Lines:
    """Format of log lines: JSON or text, and the minimum level."""

    as_json: bool = True
    level: Level = "warning"

    @classmethod
    def of(cls, form: Form, level: Level) -> Lines:
        """Choose the format by the settings; `auto` is text if standard error is a terminal."""
        return cls(form == "json" or (form == "auto" and not sys.stderr.isatty()), level)


def configure_logging(lines: Lines) -> None:
    """Configure this process's log: our own lines, the web server's, and warnings."""
    handler = logging.StreamHandler()
    handler.setFormatter(build_formatter(lines.as_json))
    logging.basicConfig(handlers=[handler], level=logging.WARNING, force=True)
    logging.captureWarnings(True)
    for name in ("wondertally", "uvicorn"):
        logging.getLogger(name).setLevel(lines.level.upper())


def build_formatter(as_json: bool) -> logging.Formatter:
    """Build the formatter that renders records of the standard library's logging."""
    gathered: list[Processor] = [
        contextvars.merge_contextvars,
        stdlib.add_log_level,
        stdlib.add_logger_name,
        stdlib.ExtraAdder(allow=FIELDS),
        processors.TimeStamper(fmt="iso", key="time"),
    ]
    transform_exception = tracebacks.ExceptionDictTransformer(show_locals=False)
    as_line: list[Processor] = (
        [
            _order_keys,
            processors.ExceptionRenderer(transform_exception),
            processors.JSONRenderer(ensure_ascii=False),
        ]
        if as_json
        else [dev.ConsoleRenderer(timestamp_key="time", exception_formatter=dev.plain_traceback)]
    )
    rendering = [stdlib.ProcessorFormatter.remove_processors_meta, *as_line]
    return stdlib.ProcessorFormatter(foreign_pre_chain=gathered, processors=rendering)


def find_client_network(host: str) -> str:
    """Return the network of a client's address, the only part that is logged: 24 bits of IPv4, 48 of IPv6.

    An IPv4-mapped IPv6 address counts as IPv4.
    """
    address = parse_address(host)
    return "" if address is None else str(ip_network((address, _NETWORK_BITS[address.version]), strict=False))


def _order_keys(logger: WrappedLogger, name: str, event: EventDict) -> EventDict:
    first = ("time", "level", "event")
    return {key: event[key] for key in (*first, *(key for key in event if key not in first))}
