"""Secrets: ids and tokens that nobody guesses, kept as hashes and compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable

_ID = re.compile(r"[A-Za-z0-9_-]{22}")


def generate_id() -> str:
    """An id of 128 random bits; who knows it may look."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Whether something has the form of an id; no token has."""
    return _ID.fullmatch(text) is not None


def generate_token() -> str:
    """An owner's token of 256 random bits."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """SHA-256, hex: enough for secrets that are random, and as long."""
    return hashlib.sha256(secret.encode()).hexdigest()


def derive_token(hashed: str, purpose: str) -> str:
    """A token for less than what the one with this hash is for; nobody finds one of the two from the other."""
    return hmac.new(hashed.encode(), purpose.encode(), hashlib.sha256).hexdigest()[:32]


def is_matching_secret(secret: str, hashed: str) -> bool:
    """Whether the hash is that of what was given."""
    return hmac.compare_digest(hash_secret(secret), hashed)


def is_known_secret(secret: str, hashes: Iterable[str]) -> bool:
    """Whether one of the hashes is; every one is compared."""
    return sum(is_matching_secret(secret, hashed) for hashed in hashes) > 0
