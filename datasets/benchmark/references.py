"""What photos give when each is read alone: what readings under load or after faults are held against."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import httpx2 as httpx

ANSWER_SECONDS = 300


@dataclass
class Alone:
    """The report of each photo by its name, and the seconds that a reading takes on the average."""

    reports: dict[str, dict[str, Any]]
    seconds: float


def read_alone(url: str, photos: dict[str, bytes]) -> Alone:
    """Read each photo, one after the other."""
    reports, started = {}, time.monotonic()
    with httpx.Client(base_url=url, timeout=ANSWER_SECONDS) as client:
        for name, jpeg in photos.items():
            answer = client.post("/v1/readings", files={"photo": (f"{name}.jpg", jpeg, "image/jpeg")})
            reports[name] = answer.raise_for_status().json()["report"]
    return Alone(reports, (time.monotonic() - started) / len(photos))


def find_mismatch(report: dict[str, Any], sent_sha256: str, reference: dict[str, Any]) -> str | None:
    """Tell why a report is not that of the photo that was sent, by one of the same board; None where it is."""
    if report["photo"]["sha256"] != sent_sha256:
        return "mixed up: the report is of another photo"
    if report["board"]["notation"] != reference["board"]["notation"]:
        return "another board than was read before"
    if report["scores"]["final_scoring"] != reference["scores"]["final_scoring"]:
        return "another final scoring than was read before"
    return None
