"""Reference readings of photos read alone, to compare with readings under load or after faults."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx

ANSWER_SECONDS = 300


@dataclass
class Alone:
    """The report of each photo by its name, and the mean seconds per reading."""

    reports: dict[str, dict[str, Any]]
    seconds: float


def read_alone(url: str, photos: dict[str, bytes]) -> Alone:
    """Read each photo, one after another."""
    reports, started = {}, time.monotonic()
    with httpx.Client(base_url=url, timeout=ANSWER_SECONDS) as client:
        for name, jpeg in photos.items():
            answer = client.post("/v1/readings", files={"photo": (f"{name}.jpg", jpeg, "image/jpeg")})
            reports[name] = answer.raise_for_status().json()["report"]
    return Alone(reports, (time.monotonic() - started) / len(photos))


def find_mismatch(report: dict[str, Any], sent_sha256: str, reference: dict[str, Any]) -> str | None:
    """Return the reason why a report does not match the photo sent, given one of the same board; None if it does."""
    if report["photo"]["sha256"] != sent_sha256:
        return "mixed up: the report is of another photo"
    if report["board"]["notation"] != reference["board"]["notation"]:
        return "another board than was read before"
    if report["scores"]["final_scoring"] != reference["scores"]["final_scoring"]:
        return "another final scoring than was read before"
    return None
