"""Phones that reach the server in its own network, and those that are paired with it."""

from __future__ import annotations

from pydantic import Field

from api.schemas.readings import Wire


class PhoneSite(Wire):
    """The address that phones in the same network open; a server with a certificate `can_pair` them."""

    address: str
    can_pair: bool
    paired: int


class Pairing(Wire):
    """The code that the server shows."""

    code: str = Field(max_length=40)


class PhoneKey(Wire):
    """A paired device's key, to be sent as `X-API-Key`; it is given only here."""

    key: str
