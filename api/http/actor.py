"""The name of the person who asks for a change: a header of percent-encoded UTF-8, since headers are ASCII."""

from __future__ import annotations

import re
from typing import Annotated
from urllib.parse import quote, unquote_to_bytes

from fastapi import Depends, Header

from api.http.documented_errors import raises
from api.server.errors import ServerError

HEADER = "X-Wondertally-Who"
MAX_WHO_CHARACTERS = 80
"""Maximum length of the name. A guess."""

_ENCODED = re.compile(r"(?:[ -$&-~]|%[0-9A-Fa-f]{2})*")


def encode_who_header(who: str) -> str:
    """Encode a name as the header's value."""
    return quote(who, safe="")


def decode_who_header(written: str) -> str:
    """Decode the name in a header's value and strip spaces; the inverse of `encode_who_header`.

    Raises ServerError `bad_field` for a name that is not percent-encoded UTF-8, longer than MAX_WHO_CHARACTERS, or not
    printable.
    """
    if not _ENCODED.fullmatch(written):
        raise _build_header_error("it must be percent-encoded UTF-8")
    try:
        who = unquote_to_bytes(written).decode("utf-8").strip(" ")
    except UnicodeDecodeError as error:
        raise _build_header_error("it must be percent-encoded UTF-8") from error
    if len(who) > MAX_WHO_CHARACTERS:
        raise _build_header_error(f"at most {MAX_WHO_CHARACTERS} characters are accepted")
    if not who.isprintable():
        raise _build_header_error("a character in it cannot be displayed")
    return who


@raises("bad_field")
def read_who_header(
    header: Annotated[
        str,
        Header(
            alias=HEADER,
            description=f"The name of the person, for the history: up to {MAX_WHO_CHARACTERS} characters, "
            "as percent-encoded UTF-8. It is not verified",
            examples=["J%C3%BCrgen"],
        ),
    ] = "",
) -> str:
    """Read the name of the person who asks for a change; empty without the header. Raises ServerError `bad_field`."""
    return decode_who_header(header)


Who = Annotated[str, Depends(read_who_header)]


def _build_header_error(reason: str) -> ServerError:
    return ServerError("bad_field", details={"fields": [{"field": f"header.{HEADER.lower()}", "reason": reason}]})
