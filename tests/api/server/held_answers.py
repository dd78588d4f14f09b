"""The server's command as a module, whose answers about a finished reading wait for a file."""

from __future__ import annotations

import os
import time
from pathlib import Path
from typing import Any

from api.cli import main, serve
from api.http.routes import readings

GATE = "WONDERTALLY_TEST_GATE"
"""The variable with the file that answers wait for; beside it one with `ASKED` is created once an answer waits."""
ASKED = ".asked"


def hold_answers(gate: Path) -> None:
    """Let the document of each reading wait for a file, and make the server impatient with its remaining answers."""
    build = readings.build_reading_document

    def build_held(*arguments: Any) -> Any:
        gate.with_suffix(ASKED).touch()
        while not gate.exists():
            time.sleep(0.02)
        return build(*arguments)

    readings.build_reading_document = build_held  # type: ignore[assignment]
    serve.CLOSING_SECONDS = 1


if __name__ == "__main__":
    hold_answers(Path(os.environ[GATE]))
    main.main()
