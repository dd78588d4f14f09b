"""The installed packages are listed: an SBOM of the lock file, and the licence of each package."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from datasets.licences import LOCK, format_licences, list_locked_packages

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "licences.md"


def test_the_page_of_licences_matches_the_lock_file() -> None:
    assert format_licences() == PAGE.read_text(encoding="utf-8")


@pytest.mark.soak
def test_make_sbom_lists_each_locked_package_with_its_hashes(tmp_path: Path) -> None:
    made = tmp_path / "sbom.json"
    written = PAGE.read_text(encoding="utf-8")
    command = ["make", "--assume-old=.venv/dev.stamp", "--no-print-directory", "sbom", f"SBOM={made}"]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True, timeout=300)
    assert PAGE.read_text(encoding="utf-8") == written
    document = json.loads(made.read_text(encoding="utf-8"))
    assert document["bomFormat"] == "CycloneDX"
    assert document["metadata"]["component"]["name"] == "wondertally"
    components = {(part["name"], part["version"]): part for part in document["components"]}
    assert sorted(components) == list_locked_packages()
    text = LOCK.read_text(encoding="utf-8")
    hashes = {
        digest["content"]
        for part in components.values()
        for reference in part["externalReferences"]
        for digest in reference.get("hashes", ())
    }
    assert hashes == set(re.findall(r"--hash=sha256:([0-9a-f]{64})", text))
    assert all(part["purl"].startswith(f"pkg:pypi/{name}@") for (name, _), part in components.items())


def test_a_package_that_differs_from_the_lock_file_is_reported(tmp_path: Path) -> None:
    lock = tmp_path / "requirements.lock"
    for line, why in (("numpy==0.0.1", "locked as 0.0.1"), ("no-such-package==1", "not installed")):
        lock.write_text(line + " \\\n    --hash=sha256:0\n")
        with pytest.raises(LookupError, match=why):
            format_licences(lock)
