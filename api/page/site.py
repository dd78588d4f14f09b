"""The page's addresses: `/`, `/r/ID`, `/event/ID`, `/game/ID`, `/b`, `/keep`, and the files beside them.

It uses only words from the server, the list of readable games, and whether a reading or an event exists.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, NamedTuple

from fastapi import APIRouter, Cookie, Depends, FastAPI, Header, Query, Request, Response
from fastapi.responses import FileResponse, HTMLResponse, RedirectResponse
from fastapi.staticfiles import StaticFiles
from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup
from sqlalchemy.exc import DBAPIError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError
from starlette.middleware.gzip import GZipMiddleware

from api.games.registry import list_board_titles, list_games
from api.http.dependencies import Serving, find_enrol_refusal
from api.http.errors import build_error_response
from api.i18n import negotiate_language
from api.languages import LANGUAGE_NAMES, LANGUAGES
from api.page.phrases import Tree, load_phrases
from api.render.score_chart import STEPS
from api.server.clients import is_loopback
from api.server.errors import ServerError
from scoring.carcassonne.tiles.kinds import ENDLESS, KINDS

YEAR_SECONDS = 365 * 24 * 3600
PAGE_FOLDER = Path(__file__).parent
KEEP_WORKER = PAGE_FOLDER / "static" / "pages" / "keep_worker.js"

_REPORT_PAGES = ("reading.html", "event.html", "board.html", "game.html")
_BOARDS_PAGE = "boards.html"
_TEMPLATE_FAMILIES = frozenset({"help", "missing"})
"""First parts of the keys of texts used only in templates."""
_REPORT_FAMILIES = frozenset(
    (
        *("problem", "entry", "ask", "sheet", "rule", "assumed", "border", "coats", "columns"),
        *("rows", "worth", "pile", "features", "around", "value", "spot", "spots"),
    )
)
"""First parts of the keys of texts used only with a report, its questions and its sheets."""
_OWN_FAMILIES = {"keep.html": "pad", "game.html": "game", _BOARDS_PAGE: "boards"}
"""First parts of the keys of texts that only one page needs."""
_VARY = {"Vary": "Accept-Language, Cookie"}
_MANIFEST: Mapping[str, Any] = {
    "id": "/",
    "name": "Wondertally",
    "short_name": "Wondertally",
    "start_url": "/",
    "scope": "/",
    "display": "standalone",
    "background_color": "#f5eddd",
    "theme_color": "#f5eddd",
    "icons": [
        {"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"},
        {"src": "/static/icon-192.png", "sizes": "192x192", "type": "image/png"},
        {"src": "/static/icon-512.png", "sizes": "512x512", "type": "image/png"},
        {"src": "/static/icon-maskable.png", "sizes": "512x512", "type": "image/png", "purpose": "maskable"},
    ],
}

RequestedLanguage = Annotated[str | None, Query(alias="language", max_length=10)]
CookieLanguage = Annotated[str | None, Cookie(alias="language")]
BrowserLanguages = Annotated[str, Header(alias="accept-language")]


class LanguageWish(NamedTuple):
    """The language in the address, the one in the cookie, and the browser's preferences."""

    requested: str | None
    chosen: str | None
    preferred: str


def find_language_wish(
    requested: RequestedLanguage = None, chosen: CookieLanguage = None, preferred: BrowserLanguages = ""
) -> LanguageWish:
    """Collect the language settings of a request."""
    return LanguageWish(requested, chosen, preferred)


Wish = Annotated[LanguageWish, Depends(find_language_wish)]

router = APIRouter(include_in_schema=False)
templates = Environment(
    loader=PackageLoader("api.page"),
    autoescape=select_autoescape(),
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)


class Files(StaticFiles):
    """Static files that browsers revalidate each time, so that all are of one version."""

    def file_response(self, *arguments: Any, **named: Any) -> Response:
        """Serve a file, or 304 if the browser has the same one."""
        answer = super().file_response(*arguments, **named)
        answer.headers["Cache-Control"] = "no-cache"
        return answer


def add_page(app: FastAPI) -> None:
    """Add the page to the app, with compression of all responses."""
    app.include_router(router)
    app.mount("/static", Files(directory=PAGE_FOLDER / "static"))
    app.add_exception_handler(404, serve_unknown_address)
    app.add_middleware(GZipMiddleware, minimum_size=1024, compresslevel=6)


@router.get("/")
def serve_start_page(request: Request, wish: Wish) -> Response:
    """Serve the start page, where photos are uploaded."""
    return _render_page("start.html", request, wish, **_list_games(request))


def serve_unknown_address(request: Request, error: Exception) -> Response:
    """Serve a page for an unknown address to a browser, or the JSON error to other clients."""
    if request.url.path.startswith("/v1/") or "text/html" not in request.headers.get("accept", ""):
        return build_error_response(ServerError("not_found"))
    cookie, header = request.cookies.get("language"), request.headers.get("accept-language", "")
    wish = LanguageWish(request.query_params.get("language"), cookie, header)
    return _render_missing_page("missing-page", request, wish)


@router.get("/r/{reading_id}")
def serve_reading_page(reading_id: str, request: Request, server: Serving, wish: Wish) -> Response:
    """Serve the page of a reading, or 404 if there is none; the page gets its data from the API."""
    if _is_missing(server.readings.store.get, reading_id):
        return _render_missing_page("missing-reading", request, wish)
    return _render_page("reading.html", request, wish, id=reading_id)


@router.get("/event/{event_id}")
def serve_event_page(event_id: str, request: Request, server: Serving, wish: Wish) -> Response:
    """Serve the desk of an event, or 404 if there is none; its token is after the #, which browsers do not send."""
    if _is_missing(server.events.get, event_id):
        return _render_missing_page("missing-event", request, wish)
    most = server.settings.photos_most
    return _render_page("event.html", request, wish, id=event_id, photos_most=most, **_list_games(request))


@router.get("/game")
def serve_new_game_page(request: Request, wish: Wish) -> Response:
    """Serve the page that begins a game in photos."""
    return _render_page("game.html", request, wish, id="", chart_steps=STEPS)


@router.get("/game/{game_id}")
def serve_game_page(game_id: str, request: Request, server: Serving, wish: Wish) -> Response:
    """Serve the page of a game in photos, or 404 if there is none; the page gets its data from the API."""
    if _is_missing(server.games.store.get, game_id):
        return _render_missing_page("missing-game", request, wish)
    return _render_page("game.html", request, wish, id=game_id, chart_steps=STEPS)


@router.get("/boards/{game}")
def serve_boards_page(game: str, request: Request, wish: Wish) -> Response:
    """Serve the page for enrolling a game's empty boards; 404 if there is no such game, or it needs none."""
    games = list_games()
    if game not in games or not games[game].needs_enrolment:
        return _render_missing_page("missing-page", request, wish)
    return _render_page(_BOARDS_PAGE, request, wish, game=game, game_title=games[game].title)


@router.get("/b")
def serve_board_page(request: Request, wish: Wish) -> Response:
    """Serve the page of a board in the address itself, after the #, which browsers do not send."""
    return _render_page("board.html", request, wish)


@router.get("/keep")
def serve_keep_page(request: Request, wish: Wish) -> Response:
    """Serve the page that keeps a game's score in the browser."""
    return _render_page("keep.html", request, wish)


@router.get("/keep-worker.js")
def serve_keep_worker() -> FileResponse:
    """Serve that page's service worker for offline use; its scope requires an address at the root."""
    return FileResponse(KEEP_WORKER, media_type="text/javascript", headers={"Cache-Control": "no-cache"})


@router.get("/help")
def serve_help_page(request: Request, wish: Wish) -> Response:
    """Serve the help page."""
    return _render_page("help.html", request, wish)


@router.get("/manifest.webmanifest")
def serve_manifest(chosen: CookieLanguage = None, preferred: BrowserLanguages = "") -> Response:
    """Serve the web app manifest, with which a phone can keep the site among its apps."""
    language = _choose_language(chosen, preferred)
    manifest = {**_MANIFEST, "lang": language, "description": _get_plain_text(load_phrases(language)["about"])}
    return Response(json.dumps(manifest, ensure_ascii=False), headers=_VARY, media_type="application/manifest+json")


@router.get("/example.jpg")
@router.get("/example-question.jpg")
def serve_example_photo(request: Request) -> FileResponse:
    """Serve a sample photo: of a whole game, or one that raises a question."""
    return FileResponse(PAGE_FOLDER / Path(request.url.path).name, media_type="image/jpeg")


def _is_missing(find: Callable[[str], object], id: str) -> bool:
    """Return whether an id certainly does not exist; if the storage is unreachable, the page reports that itself."""
    try:
        find(id)
    except ServerError as error:
        return error.code == "not_found"
    except (DBAPIError, PoolTimeoutError, OSError):
        return False
    return False


def _list_games(request: Request) -> dict[str, Any]:
    """List the titles of the games that can be read here, by name; `unread` are the titles of the others.

    `shown_here` are the games whose empty boards the caller may enrol on the page, with or without a key.
    """
    tables = request.app.state.server.tables
    is_read = {name: not game.needs_enrolment or bool(tables.pictures(name)) for name, game in list_games().items()}
    titles = {name: game.title for name, game in list_games().items()}
    return {
        "games": {name: title for name, title in titles.items() if is_read[name]},
        "unread": [title for name, title in titles.items() if not is_read[name]],
        "shown_here": _list_shown_here(request),
    }


def _list_shown_here(request: Request) -> dict[str, str]:
    """List the titles of the games whose boards can be enrolled on the page, by name; empty if that is local only."""
    if find_enrol_refusal(request, request.app.state.server) == "local_only":
        return {}
    return list_board_titles()


def _render_page(name: str, request: Request, wish: LanguageWish, **values: Any) -> Response:
    """Render a page in the language of the cookie, else of the browser; a language in the address sets the cookie."""
    if wish.requested in LANGUAGES:
        answer = RedirectResponse(request.url.path, 303)
        answer.set_cookie("language", wish.requested, max_age=YEAR_SECONDS, samesite="lax")
        return answer
    language = _choose_language(wish.chosen, wish.preferred)
    words = load_phrases(language)
    html = templates.get_template(name).render(
        language=language,
        languages=LANGUAGE_NAMES,
        say=lambda key: _get_plain_text(words[key]),
        words=_format_json(select_words(words, name)),
        kinds=_format_json(describe_kinds()),
        host=str(request.base_url),
        site=_find_site(request),
        **values,
    )
    return HTMLResponse(html, headers={**_VARY, "Content-Language": language})


def _find_site(request: Request) -> str:
    """Find the address that others can open, if the request names this machine by one that they cannot."""
    site = request.app.state.server.site
    return site.address if site and is_loopback(request.url.hostname or "") else ""


def select_words(words: Mapping[str, Tree], template: str) -> Mapping[str, Tree]:
    """Select the words that a page's scripts may use; words about reports are omitted on pages without one."""
    families = _TEMPLATE_FAMILIES if template in _REPORT_PAGES else _TEMPLATE_FAMILIES | _REPORT_FAMILIES
    families |= {family for page, family in _OWN_FAMILIES.items() if page != template}
    prefixes = tuple(f"{family}-" for family in families)
    return {key: tree for key, tree in words.items() if not key.startswith(prefixes)}


def describe_kinds() -> Mapping[str, Sequence[str]]:
    """Return the kinds of features for the page: as a list shows them, from the top of a picture, and the endless."""
    rows = sorted(KINDS.values(), key=lambda row: row.symbol == "land")
    topmost = sorted(rows, key=lambda row: row.tint_layer, reverse=True)
    return {"listed": [row.name for row in rows], "topmost": [row.name for row in topmost], "endless": ENDLESS}


def _choose_language(chosen: str | None, preferred: str) -> str:
    return chosen if chosen in LANGUAGES else negotiate_language(preferred)


def _render_missing_page(words: str, request: Request, wish: LanguageWish) -> Response:
    """Render the page for a missing resource; `words` is the key of its title."""
    answer = _render_page("missing.html", request, wish, missing=words)
    if answer.status_code == 200:
        answer.status_code = 404
    return answer


def _get_plain_text(tree: Tree) -> str:
    if not isinstance(tree, str):
        raise ValueError("templates take texts without slots alone")
    return tree


def _format_json(value: object) -> Markup:
    """Format JSON so that it is safe inside a script element."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))
