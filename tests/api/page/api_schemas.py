"""The API's schemas, of which the types of the page are made: `python -m tests.api.page.api_schemas`."""

from __future__ import annotations

import json
from pathlib import Path
from tempfile import TemporaryDirectory

from api.server.settings import Settings
from tests.api.serving import unopened

FILE = Path(__file__).parents[3] / "build" / "openapi.json"


def write_schemas(file: Path) -> None:
    """Write the API's document without its addresses: only the schemas become types."""
    with TemporaryDirectory() as folder, unopened(Settings(data=Path(folder))) as app:
        document = {**app.openapi(), "paths": {}}
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps(document), encoding="utf-8")


if __name__ == "__main__":
    write_schemas(FILE)
