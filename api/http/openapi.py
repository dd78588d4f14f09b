"""The API document: FastAPI's own, with schema names, security schemes and the errors of each route; its page."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from itertools import product
from pathlib import Path
from typing import Any

from fastapi import APIRouter, FastAPI
from fastapi.openapi.utils import get_openapi
from fastapi.responses import HTMLResponse
from fastapi.routing import APIRoute, RouteContext, iter_route_contexts
from starlette.staticfiles import StaticFiles

from api.http.errors import build_error_responses, list_error_codes

KEY_SCHEME, TOKEN_SCHEME = "ApiKey", "OwnerToken"
SECURITY_SCHEMES = {
    KEY_SCHEME: {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "An API key of this server, if it requires any.",
    },
    TOKEN_SCHEME: {
        "type": "http",
        "scheme": "bearer",
        "description": "The token of a reading, an event or a game, given only in the answer that created it.",
    },
}
_TEXTS = ("application/jsonl", "application/toml", "image/svg+xml")
TAGS = [
    {"name": "readings", "description": "Photos in, scores out."},
    {"name": "corrections", "description": "Corrections of a reading, and their history."},
    {"name": "exports", "description": "A reading as report, table, page, picture and explanation."},
    {"name": "events", "description": "Tournaments: their tables, decisions and standings."},
    {"name": "games", "description": "Games kept by their photos, move by move."},
    {"name": "scores", "description": "Boards and records of games, without a photo."},
    {"name": "enrolments", "description": "Enrolled tiles."},
    {"name": "wonders", "description": "Layouts of wonder tiles, and their enrolment."},
    {"name": "boards", "description": "Empty boards of games with a printed board, and their enrolment."},
    {"name": "catalogue", "description": "Known games, rule sets and tiles."},
    {"name": "phones", "description": "Phones in the server's own network."},
    {"name": "health", "description": "For operators of the server."},
]
ABOUT = """Every error has one shape: a code for programs, a sentence for people, and details for both.

HEAD works wherever GET does, without a body. Anyone who knows the id of a reading, an event or a game can read it;
changing it requires the token that came with it."""
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


def install_openapi(app: FastAPI, needs_key: bool) -> None:
    """Install the document on the app; `needs_key` is set if this server has API keys."""
    documents: list[dict[str, Any]] = []

    def build_once() -> dict[str, Any]:
        if not documents:
            documents.append(_build_document(app, needs_key))
        return documents[0]

    app.openapi = build_once  # type: ignore[method-assign]


def get_operation_id(route: APIRoute) -> str:
    """Return the name of a route in generated clients: that of its function."""
    return route.name


def _build_document(app: FastAPI, needs_key: bool) -> dict[str, Any]:
    document = get_openapi(
        title=app.title, version=app.version, summary=app.summary, description=ABOUT, routes=app.routes, tags=TAGS
    )
    document["components"]["securitySchemes"] = SECURITY_SCHEMES
    for context, method, operation in _list_operations(app, document):
        body = "requestBody" in operation
        assert context.dependant is not None
        codes = list_error_codes(context.dependant, method, str(context.path), body)
        for answer in operation["responses"].values():
            _describe_contents(answer.get("content", {}))
        operation["responses"] |= build_error_responses(codes)
        for content in operation.get("requestBody", {}).get("content", {}).values():
            content["schema"] = _name_schema(content["schema"], document["components"]["schemas"])
        if security := _build_security(codes, needs_key):
            operation["security"] = security
    return document


def _describe_contents(contents: dict[str, Any]) -> None:
    """Mark response contents other than JSON as text or binary."""
    for kind, content in contents.items():
        if not content:
            is_text = kind in _TEXTS or kind.startswith("text/")
            content["schema"] = {"type": "string"} if is_text else {"type": "string", "format": "binary"}


def _name_schema(schema: dict[str, Any], named: dict[str, Any]) -> dict[str, Any]:
    """Move a form's schema to the named schemas, by its title, and return a reference to it."""
    if "properties" not in schema:
        return schema
    named[schema["title"]] = schema
    return {"$ref": f"#/components/schemas/{schema['title']}"}


def _list_operations(app: FastAPI, document: dict[str, Any]) -> Iterator[tuple[RouteContext, str, dict[str, Any]]]:
    for context in iter_route_contexts(app.routes):
        for method in sorted(context.methods or ()):
            operation = document["paths"].get(str(context.path), {}).get(method.lower())
            if operation is not None:
                yield context, method, operation


def _build_security(codes: list[str], needs_key: bool) -> list[dict[str, list[str]]]:
    """Build the security requirements as alternatives; empty if anyone may call the route."""
    tokens: list[dict[str, list[str]]] = [{TOKEN_SCHEME: []}] if "token_wanted" in codes else [{}]
    keys: list[dict[str, list[str]]] = [{KEY_SCHEME: []}] if "key_wanted" in codes else [{}]
    if keys != [{}] and not needs_key:
        keys = [{}, *keys]
    ways = [{**token, **key} for token, key in product(tokens, keys)]
    return [] if ways == [{}] else ways


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
