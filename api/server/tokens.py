"""Secrets: unguessable ids and tokens, stored as hashes and compared in constant time."""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from collections.abc import Iterable

_ID = re.compile(r"[A-Za-z0-9_-]{22}")


def generate_id() -> str:
    """Generate an id of 128 random bits, which grants read access."""
    return secrets.token_urlsafe(16)


def is_id(text: str) -> bool:
    """Return whether a text has the form of an id; no token has it."""
    return _ID.fullmatch(text) is not None


def generate_token() -> str:
    """Generate an owner's token of 256 random bits."""
    return secrets.token_urlsafe(32)


def hash_secret(secret: str) -> str:
    """Return the SHA-256 in hex, which suffices for random secrets of this length."""
    return hashlib.sha256(secret.encode()).hexdigest()


def derive_token(hashed: str, purpose: str) -> str:
    """Derive a token with fewer rights from the hash of another; neither can be computed from the other."""
    return hmac.new(hashed.encode(), purpose.encode(), hashlib.sha256).hexdigest()[:32]


def is_matching_secret(secret: str, hashed: str) -> bool:
    """Return whether a secret has this hash."""
    return hmac.compare_digest(hash_secret(secret), hashed)


def is_known_secret(secret: str, hashes: Iterable[str]) -> bool:
    """Return whether a secret has one of the hashes; all of them are compared."""
    return sum(is_matching_secret(secret, hashed) for hashed in hashes) > 0
