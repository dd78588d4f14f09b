"""Clients of a server for Locust: each sends photos one after another, and records the outcomes.

`datasets.benchmark.load` starts it and passes the folder through the environment.
"""

from __future__ import annotations

import json
import os
import time
from pathlib import Path
from typing import Any

from locust import HttpUser, task
from locust.exception import StopUser

from datasets.benchmark.marked import Sent, stream_photos

FOLDER = "LOAD_FOLDER"
"""Name of the variable with the folder of photos (`*.jpg`), in which each client writes a file (`*.jsonl`)."""
POLLING_SECONDS = 0.5
ANSWER_SECONDS = 300


class Organiser(HttpUser):
    """One client; the answer on each photo is a line of its file."""

    def on_start(self) -> None:
        """Load the photos, starting with a different one for each client."""
        folder = Path(os.environ[FOLDER])
        originals = {file.stem: file.read_bytes() for file in sorted(folder.glob("*.jpg"))}
        name = f"client {id(self)}"
        self._photos = stream_photos(originals, name)
        for _ in range(id(self) // 64 % len(originals)):
            next(self._photos)
        self._notes = (folder / f"{name}.jsonl").open("a", encoding="utf-8")
        self._pause = 0.0

    def on_stop(self) -> None:
        """Close the file."""
        self._notes.close()

    def wait_time(self) -> float:
        """Return the waiting time requested by the server."""
        return self._pause

    @task
    def send(self) -> None:
        """Send a photo and wait for its result."""
        sent, started = next(self._photos), time.monotonic()
        form = {"photo": ("table.jpg", sent.data, "image/jpeg")}
        with self.client.post("/v1/readings", files=form, timeout=ANSWER_SECONDS, catch_response=True) as answer:
            note: dict[str, Any] = {"status": answer.status_code, "retry_after": answer.headers.get("Retry-After")}
            accepted = answer.status_code in (201, 202)
            reply = answer.json() if accepted else {}
            if accepted or note["retry_after"]:
                answer.success()
        self._pause = float(note["retry_after"] or 0)
        if note["status"] == 202:
            reply = self._followed(reply["id"])
        self._write(sent, reply, {**note, "seconds": time.monotonic() - started})
        if note["status"] == 0:  # no answer
            raise StopUser

    def _followed(self, reading: str) -> dict[str, Any]:
        while True:
            with self.client.get(f"/v1/readings/{reading}", name="/v1/readings/ID") as answer:
                reply = dict(answer.json())
            if reply.get("status") not in ("queued", "reading"):
                return {"id": reading, **reply}
            time.sleep(POLLING_SECONDS)

    def _write(self, sent: Sent, reply: dict[str, Any], note: dict[str, Any]) -> None:
        report = reply.get("report")
        parts = {part: report[part] for part in ("photo", "board", "scores")} if report else None
        about = {"id": reply.get("id"), "error": reply.get("error"), "report": parts}
        line = {"board": sent.board, "sha256": sent.sha256, **note, **about}
        self._notes.write(json.dumps(line) + "\n")
        self._notes.flush()
