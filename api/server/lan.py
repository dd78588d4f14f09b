"""A server in a local network: the addresses that phones can open, a certificate of its own, and paired devices."""

from __future__ import annotations

import ipaddress
import os
import secrets
import socket
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from api.server.clients import is_loopback
from api.server.errors import ServerError
from api.server.tokens import generate_token, hash_secret, is_known_secret

VALID_DAYS, RENEWAL_DAYS = 397, 30
"""Days that a certificate is valid, the maximum that browsers accept, and before its end when a new one is made."""
CODE_LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""Letters and digits that nobody takes for another."""
CODE_LENGTH = 10
"""Letters of a pairing code, about 50 bits: a client may try 600 a minute."""
_ELSEWHERE = ("192.0.2.1", 9)
"""An address for examples (RFC 5737); a datagram's socket that is connected to it sends nothing."""


@dataclass(frozen=True, slots=True)
class LanSite:
    """A server as devices in its network reach it: its address, and the fingerprint of its certificate, if any."""

    address: str
    fingerprint: str = ""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate's files, and its SHA-256 fingerprint as browsers show it."""

    certificate: Path
    key: Path
    fingerprint: str


def list_lan_addresses() -> list[str]:
    """List this machine's IPv4 addresses in its networks, that of the usual route first; empty without a network."""
    usual, states = _find_usual_address(), psutil.net_if_stats()
    found = [
        entry.address
        for name, entries in psutil.net_if_addrs().items()
        for entry in entries
        if entry.family == socket.AF_INET and (name not in states or states[name].isup)
    ]
    reachable = [address for address in found if not (is_loopback(address) or _is_link_local(address))]
    return sorted(dict.fromkeys(reachable), key=lambda address: address != usual)


def _find_usual_address() -> str:
    try:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
            probe.connect(_ELSEWHERE)
            return str(probe.getsockname()[0])
    except OSError:
        return ""


def _is_link_local(address: str) -> bool:
    return ipaddress.ip_address(address).is_link_local


def provide_certificate(folder: Path, addresses: Sequence[str]) -> Certificate:
    """Return the certificate kept in a folder, or a new one if it lacks an address or is about to expire.

    Only the server's user can read its key. Raises OSError.
    """
    names = ["localhost", socket.gethostname(), *("127.0.0.1", "::1"), *addresses]
    file, key = folder / "certificate.pem", folder / "key.pem"
    if (certificate := _read_certificate(file, key)) is None or not _still_fits(certificate, names):
        for made in (folder.parent, folder):
            made.mkdir(mode=0o700, parents=True, exist_ok=True)
        certificate = _write_certificate(file, key, names)
    digest = certificate.fingerprint(hashes.SHA256()).hex().upper()
    return Certificate(file, key, ":".join(digest[at : at + 2] for at in range(0, len(digest), 2)))


def _read_certificate(file: Path, key: Path) -> x509.Certificate | None:
    try:
        certificate = x509.load_pem_x509_certificate(file.read_bytes())
        private = serialization.load_pem_private_key(key.read_bytes(), None)
    except (OSError, ValueError):
        return None
    return certificate if certificate.public_key() == private.public_key() else None


def _still_fits(certificate: x509.Certificate, names: Sequence[str]) -> bool:
    if certificate.not_valid_after_utc < datetime.now(UTC) + timedelta(days=RENEWAL_DAYS):
        return False
    listed = certificate.extensions.get_extension_for_class(x509.SubjectAlternativeName).value
    return set(map(_name_host, names)) <= set(listed)


def _write_certificate(file: Path, key_file: Path, names: Sequence[str]) -> x509.Certificate:
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Wondertally")])
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=1))
        .not_valid_after(now + timedelta(days=VALID_DAYS - 1))
        .add_extension(x509.SubjectAlternativeName(list(map(_name_host, dict.fromkeys(names)))), critical=False)
        .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
        .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
        .sign(key, hashes.SHA256())
    )
    form = serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    _write_secret(key_file, key.private_bytes(serialization.Encoding.PEM, *form))
    file.write_bytes(certificate.public_bytes(serialization.Encoding.PEM))
    return certificate


def _name_host(host: str) -> x509.GeneralName:
    try:
        return x509.IPAddress(ipaddress.ip_address(host))
    except ValueError:
        return x509.DNSName(host)


def _write_secret(file: Path, content: bytes) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    part = file.with_name(f"{file.name}.part")
    part.unlink(missing_ok=True)
    with os.fdopen(os.open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
        opened.write(content)
    part.replace(file)


class PairedDevices:
    """Devices that may enrol and correct: each got a key for the code that this server shows while it runs.

    Only the hashes of keys are kept, one a line, in a file that outlasts the server.
    """

    def __init__(self, file: Path) -> None:
        self.code = "".join(secrets.choice(CODE_LETTERS) for _ in range(CODE_LENGTH))
        self._file = file
        self._hashes = frozenset(file.read_text(encoding="ascii").split()) if file.is_file() else frozenset()

    def __len__(self) -> int:
        return len(self._hashes)

    def pair(self, code: str) -> str:
        """Return a key for a device that knows the code; raises ServerError `wrong_code`."""
        if not secrets.compare_digest(code.strip().upper().encode(), self.code.encode()):
            raise ServerError("wrong_code")
        key = generate_token()
        self._keep(self._hashes | {hash_secret(key)})
        return key

    def knows(self, key: str | None) -> bool:
        """Return whether a key was given to a device."""
        return key is not None and is_known_secret(key, self._hashes)

    def forget(self) -> None:
        """Forget all devices."""
        self._keep(frozenset())

    def _keep(self, known: frozenset[str]) -> None:
        _write_secret(self._file, "".join(f"{one}\n" for one in sorted(known)).encode())
        self._hashes = known
