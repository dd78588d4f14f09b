"""The API document as a page at /docs to read and try, with Swagger UI served from this host.

The files come with the package fastapi-offline. Its own page is not used, because it starts them by an inline script,
which this server's content security policy forbids.
"""

from __future__ import annotations

from functools import cache
from importlib.util import find_spec
from pathlib import Path

from fastapi import APIRouter, FastAPI
from fastapi.responses import HTMLResponse
from starlette.staticfiles import StaticFiles

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Wondertally API</title>
<link rel="icon" href="/static/icon.svg">
<link rel="stylesheet" href="/docs/files/swagger-ui.css">
</head>
<body>
<main id="api"></main>
<script src="/docs/files/swagger-ui-bundle.js"></script>
<script type="module" src="/static/pages/api_docs.js"></script>
</body>
</html>
"""

router = APIRouter(include_in_schema=False)


def add_docs_page(app: FastAPI) -> None:
    """Add the page and its files to the app."""
    app.include_router(router)
    app.mount("/docs/files", StaticFiles(directory=find_swagger_folder()))


@router.get("/docs")
def get_docs_page() -> HTMLResponse:
    """Serve the API document as a page."""
    return HTMLResponse(_PAGE)


@cache
def find_swagger_folder() -> Path:
    """Return the folder of Swagger UI's files."""
    package = find_spec("fastapi_offline")
    assert package is not None
    assert package.origin is not None
    return Path(package.origin).parent / "static"
