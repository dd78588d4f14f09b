"""The licences of all runtime dependencies: python -m datasets.licences (`make sbom` writes docs/licences.md with it).

They are taken from the packages' own metadata, in the versions of requirements.lock, which must be installed.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from pathlib import Path

LOCK = Path(__file__).parents[1] / "requirements.lock"
HEAD = """# Licences

The packages that an installation with Dask, PostgreSQL and S3 brings along, and their licences as they state them
(`make sbom` writes this page, and an SBOM in CycloneDX's format). Wondertally itself is under the
[MIT licence](../LICENSE).

| package | version | licence |
|---|---|---|
"""
_PINNED = re.compile(r"^([a-z0-9][a-z0-9._-]*)==([^ ]+)", re.MULTILINE)
_CLASSIFIER = "License :: "
MAX_LICENCE_CHARACTERS = 80
"""Maximum length of a licence's name; some packages give the whole licence text instead."""


def list_locked_packages(lock: Path = LOCK) -> list[tuple[str, str]]:
    """List the packages of a lock file with their versions, by name."""
    return sorted(_PINNED.findall(lock.read_text(encoding="utf-8")))


def find_licence(package: Distribution) -> str:
    """Find the licence in a package's metadata; empty if it states none."""
    fields = ("License-Expression", "License")
    for name in (name for field in fields for name in package.metadata.get_all(field) or ()):
        if name.strip() and name.strip() != "UNKNOWN" and "\n" not in name and len(name) <= MAX_LICENCE_CHARACTERS:
            return str(name).strip()
    return ", ".join(_list_classified(package))


def _list_classified(package: Distribution) -> Iterator[str]:
    for classifier in package.metadata.get_all("Classifier") or ():
        if classifier.startswith(_CLASSIFIER):
            yield classifier.rpartition(" :: ")[2]


def format_licences(lock: Path = LOCK) -> str:
    """Format the page; raises LookupError for a package not installed in its locked version, or without a licence."""
    rows = []
    for name, version in list_locked_packages(lock):
        try:
            package = distribution(name)
        except PackageNotFoundError as error:
            raise LookupError(f"{name} is not installed") from error
        if package.version != version:
            raise LookupError(f"{name} is installed as {package.version}, and locked as {version}")
        if not (licence := find_licence(package)):
            raise LookupError(f"{name} states no licence")
        rows.append(f"| {name} | {version} | {licence.replace('|', '/')} |\n")
    return HEAD + "".join(rows)


if __name__ == "__main__":
    sys.stdout.write(format_licences())
