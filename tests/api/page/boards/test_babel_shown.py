"""An owner of Tower of Babel enrols the empty board on a phone, from an empty data folder to the first score."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

import cv2
import httpx2 as httpx
import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from api.enrolment.board_showing import pack_board_file, unpack_board_file
from datasets.render.empty_boards import EmptyBoardPhoto, shoot_empty_board
from datasets.tower_of_babel.art import get_art
from datasets.tower_of_babel.board import draw_board
from datasets.tower_of_babel.deal import Deal, deal_game
from datasets.tower_of_babel.plan import (
    BONUS,
    LIGHT,
    ROWS,
    SIZE_MM,
    format_components,
    get_bonus_box,
    list_row_boxes,
    list_track_middles,
    list_turn_places,
    plan_wonders,
)
from datasets.tower_of_babel.shots import Manner, shoot
from datasets.tower_of_babel.staging import stage_table
from scoring.tower_of_babel.game import GAME
from tests.api.http.babel_boards import show_wholly
from tests.api.page.boards.showing import Owner
from tests.api.page.browser import PHONE, Watch
from tests.api.page.conftest import READ_MS, Open
from tests.api.page.hands import faults
from tests.api.serving import Running
from tests.kept import keep
from vision.arrays import Floats, Image
from vision.enrolment.games import GameEnrolment, GameEnrolments
from vision.flat_boards.board import rectify_picture
from vision.flat_boards.layout import Circle, Region
from vision.tower_of_babel.layout import Layout, read_board_layout

MAX_TAPS, MAX_ERROR_MM = 80, 2.0
SEEN_MM = 1.7
"""Distance of an outline from the print beyond which it is corrected."""
TURNS_OF_TRACK = (0, 23, 39, 62, 77)


@dataclass(frozen=True)
class Copy:
    """An owner's copy: its board in some art, and the photo of it empty."""

    board: Image
    photo: EmptyBoardPhoto


@keep
def draw_copy(art: str, ground: str, seed: int) -> Copy:
    rng = np.random.default_rng((seed, 7))
    board = draw_board(get_art(art, rng), rng)
    return Copy(board, shoot_empty_board(board, SIZE_MM, rng, ground, (2000, 1500)))


def show_places(owner: Owner) -> None:
    """Tap everything on the board, in the order of the prompts; a finger rarely hits the exact middle."""
    for plan in plan_wonders():
        x, y, w, h = plan.area
        owner.tap_board(x + w / 2 + 3, y + h / 2 - 4)
    correct_areas(owner)
    for plan in plan_wonders():
        for n, place in enumerate(plan.discs, 1):
            if owner.page.locator(f"[data-mark='wonders.{plan.name}.discs.{n}'].lacks").count():
                owner.tap_board(*place)
    owner.expect_prompt("tap space 0")
    for space in TURNS_OF_TRACK:
        x, y = list_track_middles()[space]
        owner.tap_board(x + 2, y + 3)
    numbers = owner.page.locator(".boards-node-row input").evaluate_all("all => all.map((one) => Number(one.value))")
    assert numbers == [*TURNS_OF_TRACK]
    owner.press("That was the last space")
    for row in (0, len(ROWS) - 1, len(ROWS)):
        x, y, w, h = list_row_boxes()[row]
        owner.tap_board(x + 0.6 * w, y + h / 2)
    x, y, w, h = get_bonus_box()
    owner.tap_board(x + w / 2, y + h / 2)
    places = list_turn_places()
    owner.tap_board(*places[0])
    owner.tap_board(*places[-1])


def correct_areas(owner: Owner) -> None:
    """Drag areas into place that are visibly off."""
    marks = owner.page.evaluate("async () => (await (await fetch('/v1/boards/tower-of-babel/board/draft')).json())")
    mm_px = SIZE_MM[0] / marks["straight_size"][0]
    for plan in plan_wonders():
        x, y, w, h = (side * mm_px for side in marks["marks"][f"wonders.{plan.name}.area"]["box"])
        true_x, true_y, true_w, true_h = plan.area
        sides = np.array((x, y, x + w, y + h)) - (true_x, true_y, true_x + true_w, true_y + true_h)
        if np.abs(sides).max() > SEEN_MM:
            owner.drag_box(f"wonders.{plan.name}.area", plan.area)


def list_printed_numbers() -> dict[str, int]:
    """List the numbers that the board prints and no other does, by the names of their fields."""
    lines = {f"scoring_table.rows.{row}": points for row, points in enumerate(ROWS[1:], 2)}
    lines["scoring_table.light"] = LIGHT
    places = {f"{key}.{place}": row[n] for key, row in lines.items() for n, place in enumerate(("most", "second"))}
    return places | {f"disc_bonus.{discs}": BONUS[discs] for discs in (3, 5, 6)}


def type_numbers(page: Page) -> None:
    """Type the numbers, each beside its cut-out, after checking the list of missing ones."""
    assert page.locator(".boards-value canvas").count() == len(ROWS) - 1 + 2
    page.get_by_role("button", name="Done", exact=True).tap()
    expect(page.locator("#problem")).to_contain_text("17 things are still missing: Row 2: most parts; Row 2: second")
    for name, value in list_printed_numbers().items():
        page.locator(f"[name='{name}']").fill(str(value))


def confirm_numbers(page: Page) -> None:
    """Compare the numbers that were read in the photo, change one back and forth, and confirm them."""
    page.locator(".boards-prompt", has_text="These numbers were read in the photo").wait_for(timeout=READ_MS)
    page.get_by_role("button", name="Done", exact=True).tap()
    expect(page.locator("#problem")).to_contain_text("Compare each with the picture")
    printed = list_printed_numbers()
    assert {name: page.locator(f"[name='{name}']").input_value() for name in printed} == {
        name: str(value) for name, value in printed.items()
    }
    first = page.locator("[name='scoring_table.rows.2.most']")
    for value in (99, printed["scoring_table.rows.2.most"]):
        first.fill(str(value))
        first.blur()
    expect(page.locator(".guessed")).to_have_count(len(printed))  # and the optional bonus, less the one that was typed
    assert faults(page) == []
    page.get_by_role("button", name="The numbers are right").tap()
    expect(page.locator(".guessed")).to_have_count(0)
    expect(page.locator(".boards-prompt")).to_contain_text("then tap Done")


def measure_errors(layout: Layout, truth: Layout) -> dict[str, float]:
    """Return the errors of the parts of a layout in millimetres, the largest of each kind."""
    wonders = [(layout.wonders[wonder], truth.wonders[wonder]) for wonder in truth.wonders]
    table, true_table = layout.scoring_table, truth.scoring_table
    assert layout.turn_order is not None
    assert truth.turn_order is not None
    pairs = {
        "areas": [(own.area.outline, true.area.outline) for own, true in wonders],
        "discs": [_describe_rounds(a, b) for own, true in wonders for a, b in zip(own.discs, true.discs, strict=True)],
        "track": [(layout.track.middles, truth.track.middles)],
        "rows": [
            (a.outline, b.outline)
            for a, b in zip((*table.rows, table.light), (*true_table.rows, true_table.light), strict=True)
        ],
        "turns": [
            _describe_rounds(a, b) for a, b in zip(layout.turn_order.spaces, truth.turn_order.spaces, strict=True)
        ],
    }
    return {name: max(float(np.abs(a - b).max()) for a, b in both) for name, both in pairs.items()}


def _describe_rounds(one: Region, other: Region) -> tuple[Floats, Floats]:
    """Return centres and radii of two rounds, to be compared."""
    assert isinstance(one, Circle)
    assert isinstance(other, Circle)
    return np.array((*one.at, one.radius)), np.array((*other.at, other.radius))


def photograph_table(board: Image, seed: int) -> tuple[Deal, bytes]:
    """Photograph a finished game on a board."""
    rng = np.random.default_rng((seed, 2))
    deal = deal_game(rng, len(list_track_middles()) - 1)
    shot = shoot(board, stage_table(deal, rng), "cloth", Manner((2400, 1800), (70, 88), 0.4), rng)
    return deal, cv2.imencode(".jpg", shot.image)[1].tobytes()


def store_board(page: Page, server: Running) -> str:
    """Store the board whose numbers are typed; return its components file, which lacks nothing."""
    page.get_by_role("button", name="Done", exact=True).tap()
    page.get_by_text("Done: from now on this server reads").wait_for()
    assert faults(page) == []
    components = GameEnrolments(server.data / "games").components(GAME.name)
    assert GAME.missing(GAME.components(components)) == ()
    return components


def read_first_score(page: Page, server: Running, board: Image, seed: int) -> None:
    """Send the photo of a finished game on a board, which is read with the enrolment."""
    deal, table = photograph_table(board, seed)
    page.goto(server.url)
    page.set_input_files("#gallery", {"name": "table.jpg", "mimeType": "image/jpeg", "buffer": table})
    page.get_by_role("radio", name="Tower of Babel").check()
    page.get_by_role("button", name="Count the points").tap()
    page.wait_for_url("**/r/*")
    page.wait_for_selector("#result:not([hidden])", timeout=READ_MS)
    rows = page.locator("#totals tbody tr")
    assert {row.get_attribute("data-player") for row in rows.all()} == {*deal.players}


@pytest.mark.soak
@pytest.mark.parametrize(("art", "ground", "seed"), [("oasis", "planks", 2), ("mosaic", "stripes", 4)])
def test_a_board_is_shown_on_a_phone_from_nothing_to_the_first_score(
    server: Running, opened: Open, art: str, ground: str, seed: int
) -> None:
    copy = draw_copy(art, ground, seed)
    page = opened(server.url, PHONE)
    page.get_by_role("link", name="Tower of Babel").tap()
    page.get_by_text("Photograph the empty board").wait_for()
    assert faults(page) == []
    owner = Owner(page, copy.photo, SIZE_MM)
    owner.begin()
    owner.show_corners_and_card()
    assert faults(page) == []
    show_places(owner)
    assert owner.taps <= MAX_TAPS
    page.route("**/draft/numbers", lambda route: route.fulfill(json={"values": {}}))  # as if none were read
    owner.press("On to the numbers")
    type_numbers(page)
    components = store_board(page, server)
    errors = measure_errors(read_board_layout(components), read_board_layout(format_components()))
    print(f"{art}: {owner.taps} taps, farthest off in mm: {errors}")
    assert max(errors.values()) < MAX_ERROR_MM
    read_first_score(page, server, copy.board, seed)


def test_a_board_whose_places_are_shown_is_numbered_and_read_with(server: Running, opened: Open) -> None:
    show_wholly(server.client, server.data)
    copy = draw_copy("oasis", "planks", 2)
    page = opened(f"{server.url}/boards/tower-of-babel", PHONE)
    page.get_by_role("button", name="Continue").tap()
    page.locator(".boards-value canvas").first.wait_for()
    confirm_numbers(page)
    store_board(page, server)
    read_first_score(page, server, copy.board, 2)


@pytest.mark.parametrize(
    "locale", ["de-DE", *(pytest.param(one, marks=pytest.mark.soak) for one in ("en-GB", "ro-RO"))]
)
def test_a_draft_is_resumed_and_undone_in_every_language(server: Running, opened: Open, locale: str) -> None:
    words = {
        "en-GB": ("Continue", "That is right", "Undo", "Tap the space for building parts: Colossus of Rhodes"),
        "de-DE": ("Weitermachen", "Das stimmt", "Rückgängig", "Tippe auf den Bauplatz für Bauteile: Koloss von Rhodos"),
        "ro-RO": (
            "Continuă",
            "Este corect",
            "Înapoi",
            "Atinge spațiul pentru piese de construcție: Colosul din Rodos",
        ),
    }
    go_on, right, undo, second = words[locale]
    copy = draw_copy("oasis", "planks", 2)
    page = opened(f"{server.url}/boards/tower-of-babel", PHONE, locale=locale)
    owner = Owner(page, copy.photo, SIZE_MM)
    owner.begin()
    owner.press(right)
    owner.tap_photo(*copy.photo.card_px.mean(axis=0))
    for corner in [] if page.get_by_role("button", name=right).count() else copy.photo.card_px:
        owner.tap_photo(*corner)
    owner.press(right)
    page.reload()
    owner.press(go_on)
    page.wait_for_selector(".boards-work .world svg")
    owner.wait()
    x, y, w, h = plan_wonders()[0].area
    owner.tap_board(x + w / 2, y + h / 2)
    owner.expect_prompt(second)
    assert page.locator(".board-mark").count() == 4
    assert "boards-" not in page.locator("main").inner_text()
    owner.press(undo)
    assert page.locator(".board-mark").count() == 0
    page.get_by_role("button", name=undo).wait_for()
    assert faults(page) == []


def test_a_file_of_boards_is_opened_on_the_page(server: Running, opened: Open, tmp_path: Path) -> None:
    picture = rectify_picture(
        draw_copy("oasis", "planks", 2).board, [(0, 0), (2240, 0), (2240, 1600), (0, 1600)], SIZE_MM
    )
    file = tmp_path / "friend.board.zip"
    file.write_bytes(pack_board_file(GameEnrolment(GAME.name, format_components(), {"board": picture})))
    page = opened(f"{server.url}/boards/tower-of-babel", PHONE)
    page.locator("input[accept='.zip']").set_input_files(file)
    page.get_by_text("Done: from now on this server reads with this board").wait_for()
    with page.expect_download() as download:
        page.get_by_role("button", name="Download the board file").tap()
    assert unpack_board_file(Path(download.value.path()).read_bytes()).components == format_components()
    undo = page.get_by_role("button", name="Undo the last change")
    undo.tap()
    page.get_by_text("The last change is undone.").wait_for()
    assert GameEnrolments(server.data / "games").games() == []
    assert faults(page) == []


def test_the_page_shows_why_a_client_may_not_enrol_a_board(server: Running, opened: Open, watch: Watch) -> None:
    address = urlsplit(server.url)
    watch.host = f"table.localhost:{address.port}"  # Chromium resolves it here, the server treats it as its own name
    page = opened(f"http://{watch.host}/boards/tower-of-babel")
    expect(page.get_by_role("note")).to_contain_text("pair this device")
    assert page.locator("input[type=file]").count() == 0
    assert faults(page) == []


def test_each_number_and_each_step_is_undone_alone(server: Running, opened: Open, watch: Watch) -> None:
    """One undo takes back one number, also one of the track's spaces that could not be counted; a refused step is
    none."""
    path, photo = f"{server.url}/v1/boards/tower-of-babel/board", draw_copy("oasis", "planks", 2).photo
    picture = cv2.imencode(".jpg", photo.image)[1].tobytes()
    begun = httpx.post(f"{path}/photo", files={"photo": ("board.jpg", picture, "image/jpeg")}, timeout=120)
    shapes: dict[str, object] = {"box": [40, 40, 200, 100], "round": [90, 90, 30], "path": [[20, 20, 0], [900, 20, 77]]}
    told = {
        "corners_px": photo.corners_px.tolist(),
        "told_size_mm": SIZE_MM,
        "marks": {
            mark["name"]: {mark["kind"]: shapes[mark["kind"]], "unsure": [1] if mark["kind"] == "path" else []}
            for mark in begun.raise_for_status().json()["wanted_marks"]
        },
    }
    httpx.patch(f"{path}/draft", json=told, timeout=120).raise_for_status()
    page = opened(f"{server.url}/boards/tower-of-babel", PHONE)
    page.get_by_role("button", name="Continue").tap()
    prompt, spaces = page.locator(".boards-prompt"), page.locator(".boards-node-row input")
    expect(prompt).to_contain_text("cannot be counted in the picture")
    expect(spaces.nth(1)).to_have_class("unsure")
    spaces.nth(1).fill("78")
    spaces.nth(1).press("Enter")
    expect(page.locator(".boards-node-row")).to_have_count(0)
    assert httpx.get(f"{path}/draft", timeout=120).json()["marks"]["track"]["path"][1][2] == 78
    undo, redo = (page.get_by_role("button", name=name, exact=True) for name in ("Undo", "Redo"))
    work, waiting = page.locator(".boards-work"), list[Route]()
    page.route("**/draft", lambda route: waiting.append(route))
    undo.tap()
    expect(work).to_have_attribute("aria-busy", "true")
    assert work.evaluate("own => getComputedStyle(own, '::before').animationName") == "working"
    waiting.pop().continue_()
    expect(work).not_to_have_attribute("aria-busy", "true")
    page.unroute("**/draft")
    page.get_by_role("button", name="The numbers are right").tap()
    expect(page.locator(".boards-node-row")).to_have_count(0)
    track = httpx.get(f"{path}/draft", timeout=120).json()["marks"]["track"]
    assert (track["path"][1][2], track["unsure"]) == (77, [])
    first, second = (page.locator(f"[name='scoring_table.rows.2.{place}']") for place in ("most", "second"))
    first.fill("17")
    second.fill("9")
    undo.tap()
    expect(second).to_have_value("")
    expect(first).to_have_value("17")
    redo.tap()
    expect(second).to_have_value("9")
    page.context.set_offline(True)
    undo.tap()
    expect(page.locator("#problem")).not_to_be_empty()
    page.context.set_offline(False)
    watch.faults.clear()  # the browser itself logs that there is no network
    for values in (("17", ""), ("", "")):
        undo.tap()
        for number, value in zip((first, second), values, strict=True):
            expect(number).to_have_value(value)
    undo.tap()
    expect(prompt).to_contain_text("cannot be counted in the picture")
    expect(undo).to_be_disabled()
