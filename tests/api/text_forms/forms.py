"""The forms of text, each with valid examples and the real interface that takes them."""

from __future__ import annotations

import io
import json
import os
import sys
import zipfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import tomlkit
from hypothesis import strategies as st
from pydantic import ValidationError

from api.batch.journal import JOURNAL
from api.carcassonne.corrections.url_fragment import SharedBoard, decode_fragment, encode_fragment
from api.carcassonne.report.builder import build_board_report
from api.carcassonne.report.moves import MoveOptions
from api.cli import main as cli
from api.cli.serve import read_settings
from api.documents.corrections import CORRECTIONS
from api.enrolment.board_showing import (
    MANIFEST,
    BoardShowing,
    list_missing,
    pack_board_file,
    unpack_board_file,
)
from api.enrolment.game_boards import list_missing_facts
from api.enrolment.tile_shapes import ShapeDrawing
from api.games.registry import build_snapshot_report
from api.server.settings import PREFIX, Settings
from api.service.event_import import import_batch
from api.spots.registry import find_spot_game
from api.tournament.listed_tables import group_photos_by_table
from api.tournament.options_file import OPTIONS_FILE
from datasets.tower_of_babel.plan import SIZE_MM, format_components
from scoring import calibration
from scoring.carcassonne.board.label import write_label
from scoring.carcassonne.board.notation import format_notation, parse_notation
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.play.game import Game
from scoring.carcassonne.record.record import Record
from scoring.carcassonne.record.text import format_record
from scoring.carcassonne.wonders.files import parse_wonder
from scoring.errors import WondertallyError
from tests.api.batched import leave_batch
from tests.api.doubted import held, small
from tests.api.http.copies import write_copy
from tests.api.spots_seen import BABEL_PRINTS, WONDERS_PRINT, babel, wonders
from tests.api.text_forms.hostile import hostile_json, hostile_line, hostile_toml
from tests.scoring.games import SETUPS, random_game, random_move
from vision.enrolling.score_spaces import build_score_board
from vision.enrolment.games import COMPONENTS, GameEnrolment, GameEnrolments
from vision.enrolment.score_boards import EnrolledScoreBoard, EnrolledToken, ScoreBoards, ScoreTokens
from vision.evaluation.labels import load_truth
from vision.flat_boards import board as printed
from vision.flat_boards.layout import read_pictures
from vision.photo.decoding import Photo
from vision.photo.pyramid import Halves
from vision.showing.board_drafts import BoardDrafts, ShapeDrafts
from vision.showing.draft import BoardDraft

Strategy = Callable[[str], st.SearchStrategy[str]]
ROOT = Path(__file__).parents[3]


@dataclass(frozen=True, slots=True)
class Form:
    """A form of text: valid examples, their hostile mutations, and the interface, which works in an empty folder."""

    examples: Callable[[], Sequence[str]]
    mutate: Strategy
    take: Callable[[Path, str], object]


def run_command(*words: str) -> None:
    """Run the command line in this process; raises AssertionError for a fault of the program itself."""
    out, err, former = io.StringIO(), io.StringIO(), sys.argv
    status: object = None
    sys.argv = ["wondertally", *words]
    try:
        with redirect_stdout(out), redirect_stderr(err):
            cli.main()
    except SystemExit as ended:
        status = ended.code
    finally:
        sys.argv = former
    assert status in (0, 1, 2), err.getvalue()[-2000:]
    assert status == 0 or '"code"' in err.getvalue(), err.getvalue()[-2000:]


@cache
def label_texts() -> Sequence[str]:
    dealt = small(3)
    entry = parse_wonder((ROOT / "scoring/carcassonne/data/wonder_alhambra.toml").read_text(encoding="utf-8")).entry
    said = {"players": 3, "tiles_in_play": 130, "goods": {"blue": {"wine": 2}}, "unseen": [[0, 0], [1, 2]]}
    points = [[100.0 + 40 * col, 100.0 + 40 * row, col, row] for row in range(4) for col in range(4)]
    label = {"photo": "grey.png", **write_label(dealt), **said, "points": points, "wonders": [dict(entry)]}
    for meeple in label["meeples"]:
        meeple["at"] = [meeple["cell"][1] + 0.5, meeple["cell"][0] + 0.5]
    return [json.dumps(label)]


def take_label(folder: Path, text: str) -> None:
    file = folder / "label.json"
    file.write_text(text, encoding="utf-8", errors="surrogatepass")
    run_command("board", "score", str(file))
    run_command("explain", str(file), "--picture", str(folder / "out.png"))
    load_truth(file)


@cache
def notations() -> Sequence[str]:
    wonder = "@-3,-1 (WH/alhambra#0)0/(WH/alhambra#1)0/(WH/alhambra#2)0(WH/alhambra#3)0(WH/alhambra#4)0/-(IC/RFr.i)0U0"
    return [
        format_notation(small(3)),
        f"{wonder} blue~-1,0=W red^0,1=rE",
        "D0-3(DG/CRFR)1??/.3U1 red.big^1,3=rN",
    ]


def take_notation(folder: Path, text: str) -> None:
    file = folder / "table.board"
    file.write_text(text, encoding="utf-8")
    run_command("board", "score", str(file), "--json", str(folder / "report.json"))
    run_command("explain", str(file), "--picture", str(folder / "out.png"), "--lines")
    if "\x00" not in text:
        run_command("board", "score", text)
    parse_notation(text)


@cache
def records() -> Sequence[str]:
    game, rng = Game(SETUPS["base"]), Random(3)
    for _ in range(12):
        move = random_move(game, rng)
        assert move is not None
        game.play(move)
    setups = [setup for name, setup in SETUPS.items() if name != "base"]
    begun = "players blue yellow\nboxes base\nwonders -\nrules C3\nstart board K3V1/A0. red^0,0=cW = 12 7\n"
    return [format_record(Record.of(game)), format_record(Record.of(random_game(setups[0], 5))), begun]


def take_record(folder: Path, text: str) -> None:
    file = folder / "game.txt"
    file.write_text(text, encoding="utf-8")
    run_command("board", "score", str(file))
    run_command("explain", str(file), "--lines")


TABLE = "world-wonders red map.red.1.1=library#1 resource.red.food=3"
BABEL_TABLE = "tower-of-babel red,yellow parts.giza.red.1=3 discs.giza=2"


@cache
def spot_tables() -> Sequence[str]:
    return [BABEL_TABLE, TABLE, f"{BABEL_TABLE} track.red=40 track.yellow=12"]


def take_spot_table(folder: Path, text: str) -> None:
    file = folder / "table.txt"
    file.write_text(text, encoding="utf-8")
    run_command("board", "score", str(file))
    run_command("explain", str(file), "--game", "tower-of-babel")


@cache
def spot_labels() -> Sequence[str]:
    laid = {"parts.giza.red.1": 3, "discs.giza": 2, "track.red": 40}
    table = {"game": "tower-of-babel", "photo": "grey.png", "players": ["red", "yellow"], "laid": laid, "about": {}}
    return [json.dumps(table)]


@cache
def reports() -> Sequence[str]:
    typed = parse_notation("D0V0/-U1 red^1,1=rN blue^0,0=cN")
    return [build_board_report(typed).to_json(), build_snapshot_report(held(3, 2)).to_json()]


@cache
def spot_reports() -> Sequence[str]:
    return [
        build_snapshot_report(babel(3)).to_json(),
        build_snapshot_report(wonders("map.red.1.1=library#1")).to_json(),
    ]


def take_report(*command: str) -> Callable[[Path, str], None]:
    """Return a command that takes a report back; FILE, PHOTO and OUT stand for files."""

    def take(folder: Path, text: str) -> None:
        file, photo = folder / "report.json", folder / "grey.png"
        file.write_text(text, encoding="utf-8", errors="surrogatepass")
        cv2.imwrite(str(photo), np.full((480, 480, 3), 90, np.uint8))
        files = {"FILE": file, "PHOTO": photo, "OUT": folder / "out.png"}
        run_command(*(str(files.get(word, word)) for word in command))

    return take


REPORT_COMMANDS: Mapping[str, tuple[str, ...]] = {
    "scored": ("score", "FILE"),
    "explained": ("explain", "FILE"),
    "annotated": ("score", "FILE", "--annotated", "OUT", "--photo", "PHOTO"),
    "drawn": ("explain", "FILE", "--picture", "OUT", "--photo", "PHOTO"),
}


@cache
def corrections() -> Sequence[str]:
    words: list[dict[str, Any]] = [
        {"kind": "tile", "row": 0, "col": 3, "tile": "D", "turns": 1},
        {"kind": "no_tile", "row": 0, "col": 0},
        {"kind": "wonder", "wonder": "alhambra", "row": 2, "col": 2, "turns": 1},
        {"kind": "no_wonder", "row": 0, "col": 0},
        {"kind": "meeple", "id": "m1", "square": [0, 0], "place": "city:N", "colour": "red", "piece": "big"},
        {"kind": "no_meeple", "id": "m1"},
        {"kind": "confirm", "about": "tile", "row": 0, "col": 0},
        {"kind": "border", "squares": [[0, -1], [1, -1]], "ends": True},
        {"kind": "pile", "ids": ["m1", "m2"], "count": 2},
        {"kind": "special", "piece": "big", "ids": ["m1"], "id": "m1"},
        {"kind": "player", "colour": "red", "name": "Anna"},
        {"kind": "player_colour", "colour": "red", "instead": "blue"},
        {"kind": "wonder_owner", "wonder": "alhambra", "colour": "red", "beforehand": True},
        {"kind": "track", "colour": "red", "points": 40},
        {"kind": "tiles_in_play", "count": 130},
        {"kind": "player_count", "count": 3},
        {"kind": "goods", "goods": "wine", "colour": "red", "count": 2},
        {"kind": "rules", "edition": TODAY.name},
        {"kind": "box_rules", "boxes": ["inns"], "played": True},
        {"kind": "boxes", "box": "base", "count": 2},
        {"kind": "spot", "id": "discs.giza", "value": 2},
        {"kind": "spots", "ids": ["discs.giza", "discs.babel"], "value": 1},
        {"kind": "piece", "id": "discs.giza", "value": 1},
        {"kind": "confirm_spot", "id": "discs.giza"},
        {"kind": "nothing_more", "player": "red"},
        {"kind": "players", "colours": ["red", "yellow"]},
    ]
    return [json.dumps([word]) for word in words]


def take_corrections(_: Path, text: str) -> None:
    try:
        parsed = CORRECTIONS.validate_json(text)
    except ValidationError:  # errors that the server reports as `bad_field`
        return
    for snapshot in (held(3), babel(3)):
        with_codes(lambda snapshot=snapshot: build_snapshot_report(snapshot, parsed).to_json())  # type: ignore[misc]


def with_codes(act: Callable[[], object]) -> None:
    """Run an action; an error with a code counts as an answer."""
    with suppress(WondertallyError):
        act()


@cache
def fragments() -> Sequence[str]:
    shared = SharedBoard.model_validate(
        {
            "notation": "D0V0/-U1 red^1,1=rN blue^0,0=cN",
            "names": {"red": "Anna"},
            "track": {"red": 40},
            "tiles_in_play": 90,
            "player_count": 3,
            "goods": {"wine": {"red": 2}},
        }
    )
    return [shared.model_dump_json()]


def take_fragment(_: Path, text: str) -> None:
    class _Written:
        @staticmethod
        def model_dump_json(**_: Any) -> str:
            return text

    decode_fragment(encode_fragment(_Written())).report()  # type: ignore[arg-type]


@cache
def listings() -> Sequence[str]:
    head = "photo,event,round,table,red,blue,red_track,blue_track,wonders,players,tiles_in_play,goods,boxes\n"
    rows = (
        f"{n}.jpg,cup,1,{n},Anna,Bob,40,41,alhambra=blue tikal=red,3,130,blue.wine=3 red.cloth=1,base=2\n"
        for n in (1, 2)
    )
    return [head + "".join(rows)]


def take_listing(_: Path, text: str) -> None:
    for table in group_photos_by_table(["1.jpg", "2.jpg"], text):
        assert CORRECTIONS.validate_json(table.said) is not None


def take_pattern(_: Path, text: str) -> None:
    group_photos_by_table(["cup/round-1-table-2x.jpg", "1" * 200 + ".jpg"], None, text)


WORDS = {
    "--set": ("discs.giza=2", "track.red=40"),
    "--track": ("blue=90",),
    "--players": ("3",),
    "--tiles-in-play": ("130",),
    "--goods": ("blue.wine=3",),
    "--owner": ("alhambra=blue",),
    "--boxes": ("base=2",),
    "--rules": ("C3",),
}


def take_option(option: str, table: str) -> Callable[[Path, str], None]:
    def take(_: Path, text: str) -> None:
        if "\x00" not in text and not text.startswith("-"):
            run_command("board", "score", table, option, text)
            run_command("explain", table, option, text)

    return take


def take_values(folder: Path, text: str) -> None:
    file = folder / "values.txt"
    file.write_text(text, encoding="utf-8")
    run_command("board", "score", BABEL_TABLE, "--values", str(file))


def take_square(_: Path, text: str) -> None:
    if "\x00" not in text and not text.startswith("-"):
        for option in ("--square", "--road", "--feature", "--player"):
            run_command("explain", "D0V0/-U1 red^1,1=rN", option, text)


def take_points(_: Path, text: str) -> None:
    MoveOptions.read("blue,red", "blue", text, TODAY)


@cache
def components() -> Sequence[str]:
    return [
        BABEL_PRINTS + format_components(),
        WONDERS_PRINT + '[buildings]\nshapes = [{ shape = "##/#.", tiles = { library = 3 } }]\n',
    ]


def take_components(folder: Path, text: str) -> None:
    for game in ("tower-of-babel", "world-wonders"):
        enrolment = GameEnrolment(game, text, {"board": np.full((300, 300, 3), 90, np.uint8)})
        with_codes(lambda: read_pictures(text))
        with_codes(lambda enrolment=enrolment, game=game: list(list_missing_facts(find_spot_game(game), enrolment)))  # type: ignore[misc]
    file = folder / "components.toml"
    file.write_text(text, encoding="utf-8")
    os.environ["WONDERTALLY_DATA"] = str(folder / "data")
    for game, table in (("tower-of-babel", BABEL_TABLE), ("world-wonders", TABLE)):
        run_command("enrol", "board", "--game", game, "--components", str(file))
        run_command("board", "score", table)
    with_codes(lambda: ShapeDrawing(ShapeDrafts(), GameEnrolments()).load("world-wonders"))
    store = GameEnrolments(folder / "other")
    store.save(enrolment)
    with_codes(lambda: ShapeDrawing(ShapeDrafts(folder / "drafts"), store).keep("world-wonders"))
    with_codes(
        lambda: BoardShowing(BoardDrafts(folder / "drafts"), store).set_facts("world-wonders", {"map.side": "A"})
    )


@cache
def wonder_files() -> Sequence[str]:
    plan = tomlkit.dumps(write_copy())
    folder = ROOT / "scoring/carcassonne/data"
    return [*(file.read_text(encoding="utf-8") for file in sorted(folder.glob("wonder_*.toml"))[:3]), plan]


def take_wonder_file(folder: Path, text: str) -> None:
    parse_wonder(text)
    file = folder / "wonder.toml"
    file.write_text(text, encoding="utf-8")
    os.environ["WONDERTALLY_DATA"] = str(folder / "data")
    run_command("enrol", "wonder", "tikal", str(file))


@cache
def spaces_files() -> Sequence[str]:
    return [
        "size_mm = [256, 180]\ncorners_px = [[10, 10], [470, 12], [468, 470], [12, 468]]\n"
        "path = [[0, 400, 400], [8, 60, 400], [13, 60, 60], [24, 420, 60]]\nlaps = 25\n"
    ]


def take_spaces_file(_: Path, text: str) -> None:
    noise = np.random.default_rng(1).integers(0, 255, (480, 480, 3), np.uint8)
    former, printed.PICTURE_PX = printed.PICTURE_PX, 350  # few pixels: a quick check that it can be found again
    try:
        build_score_board("mine", Photo(Halves(noise), "noise.png", "", 0.0), text)
    finally:
        printed.PICTURE_PX = former


@cache
def calibrations() -> Sequence[str]:
    return [(ROOT / "models" / "calibration.toml").read_text(encoding="utf-8")]


def take_calibration(folder: Path, text: str) -> None:
    file, former = folder / "calibration.toml", calibration.CALIBRATION_FILE
    file.write_text(text, encoding="utf-8")
    calibration.CALIBRATION_FILE = file
    calibration._load_file.cache_clear()
    try:
        for game in ("carcassonne", "tower_of_babel"):
            for kind in calibration.load_platt_scalings(game).values():
                kind.apply(0.5, 0.001)
            calibration.load_shares(game)
        calibration.load_weights("carcassonne", "presence")
    finally:
        calibration.CALIBRATION_FILE = former
        calibration._load_file.cache_clear()


@cache
def board_file() -> bytes:
    side = tuple(round(side) for side in SIZE_MM)
    pictures = {"board": np.full((side[1], side[0], 3), 90, np.uint8)}
    return pack_board_file(GameEnrolment("tower-of-babel", BABEL_PRINTS + format_components(), pictures))


def take_board_file(part: str) -> Callable[[Path, str], None]:
    def take(folder: Path, text: str) -> None:
        file = folder / "table.board.zip"
        with zipfile.ZipFile(io.BytesIO(board_file())) as whole, zipfile.ZipFile(file, "w") as packed:
            for name in whole.namelist():
                packed.writestr(name, text.encode(errors="replace") if name == part else whole.read(name))
        os.environ["WONDERTALLY_DATA"] = str(folder / "data")
        with_codes(lambda: unpack_board_file(file.read_bytes()))
        run_command("enrol", "board", str(file), "--annotated", str(folder / "a.png"))

    return take


@cache
def board_drafts() -> Sequence[str]:
    draft = BoardDraft.model_validate(
        {
            "photo": "a.jpg",
            "photo_size": [480, 480],
            "corners_px": [[10, 10], [470, 12], [468, 470], [12, 468]],
            "size_mm": [560, 560],
            "boxes": [[10, 20, 30, 40]],
            "rounds": [[100, 100, 8]],
            "marks": {
                "track": {"path": [[20, 20, 0], [400, 20, 8], [400, 400, 13]], "reach": 9},
                "wonders.giza.area": {"box": [10, 20, 30, 40], "at": [12, 22]},
                "turn_order.first": {"round": [100, 100, 8]},
                "scoring_table.first": {"box": [10, 20, 30, 40]},
                "scoring_table.last": {"box": [10, 220, 30, 40]},
            },
            "values": {"disc_bonus.3": 10},
        }
    )
    return [draft.model_dump_json()]


def take_board_draft(folder: Path, text: str) -> None:
    kept = folder / "drafts" / "tower-of-babel" / "board"
    kept.mkdir(parents=True)
    (kept / "draft.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    grey = cv2.imencode(".jpg", np.full((480, 480, 3), 90, np.uint8))[1].tobytes()
    (kept / "photo.jpg").write_bytes(grey)
    (kept / "straight.jpg").write_bytes(grey)
    showing = BoardShowing(BoardDrafts(folder / "drafts"), GameEnrolments(folder / "games"))
    draft = showing.drafts.load("tower-of-babel", "board")
    form = find_spot_game("tower-of-babel").load_forms()["board"]
    list_missing(form, draft)
    with_codes(lambda: showing.point("tower-of-babel", "board", "turn_order.first", (50.0, 60.0)))
    with_codes(lambda: showing.point("tower-of-babel", "board", "track", (50.0, 60.0)))
    with_codes(lambda: showing.change("tower-of-babel", "board", {"told_size_mm": (500.0, 500.0)}))
    with_codes(
        lambda: showing.change("tower-of-babel", "board", {"corners_px": ((9, 9), (470, 9), (470, 470), (9, 470))})
    )
    with_codes(lambda: showing.keep("tower-of-babel", "board"))


@cache
def shape_drafts() -> Sequence[str]:
    return [json.dumps({"shapes": [{"shape": "##/#.", "at": [10, 20]}, {"shape": "##"}], "photo_size": [480, 480]})]


def take_shape_draft(folder: Path, text: str) -> None:
    kept = folder / "drafts" / "world-wonders" / "shapes"
    kept.mkdir(parents=True)
    (kept / "shapes.json").write_text(text, encoding="utf-8", errors="surrogatepass")
    drawing = ShapeDrawing(ShapeDrafts(folder / "drafts"), GameEnrolments(folder / "games"))
    drawing.load("world-wonders")
    drawing.keep("world-wonders")


@cache
def printed_metadata() -> Sequence[str]:
    score = {"format": "wondertally/score-board/1", "source": "a.jpg", "made": "2026-01-01", "lap": 50}
    token = {
        "format": "wondertally/score-token/1",
        "source": "a.jpg",
        "made": "2026-01-01",
        "points": 50,
        "colour": "red",
    }
    return [json.dumps(score), json.dumps(token)]


def take_print(folder: Path, text: str) -> None:
    """Enrol score boards and tokens from files, with another text of JSON in them."""
    picture = np.full((60, 80, 3), 90, np.uint8)
    board = EnrolledScoreBoard(
        "mine", "a.jpg", "2026-01-01", picture, (256.0, 180.0), np.array([(1.0, 2), (30, 40)]), 2
    )
    token = EnrolledToken("mine", "a.jpg", "2026-01-01", picture, 50, "red")
    for store, entry in ((ScoreBoards(folder / "boards"), board), (ScoreTokens(folder / "tokens"), token)):
        with np.load(io.BytesIO(store.packed(entry))) as parts:  # type: ignore[arg-type]
            held_parts = {name: parts[name] for name in parts.files}
        store.folder.mkdir(parents=True, exist_ok=True)
        np.savez(store.folder / "mine.npz", **{**held_parts, "metadata": np.array(text.replace("\x00", ""))})
        with_codes(lambda store=store: store.load("mine"))  # type: ignore[misc]
    os.environ["WONDERTALLY_DATA"] = str(folder)
    run_command("enrol", "list")


NUMBER_SETTINGS = tuple(name for name, field in Settings.model_fields.items() if field.annotation in (int, float))


@cache
def settings_texts() -> Sequence[str]:
    return [
        json.dumps(
            {name: Settings.model_fields[name].get_default(call_default_factory=True) for name in NUMBER_SETTINGS}
            | {"proxies": "10.0.0.0/8,127.0.0.1", "api_keys": "ab" * 32}
        )
    ]


def take_settings(_: Path, text: str) -> None:
    """Set each value as a variable of the environment."""
    try:
        values = json.loads(text)
        words = {name: v if isinstance(v, str) else json.dumps(v) for name, v in dict(values).items()}
    except (ValueError, RecursionError, TypeError):
        return
    words = {name: word.replace("\x00", "") for name, word in words.items() if name in Settings.model_fields}
    former = dict(os.environ)
    try:
        os.environ.update(
            {PREFIX + name.upper(): word.encode(errors="replace").decode() for name, word in words.items()}
        )
        settings = read_settings()
        for name in NUMBER_SETTINGS:
            assert 0 <= getattr(settings, name) <= 10_000_000
    finally:
        os.environ.clear()
        os.environ.update(former)


@cache
def left_batch() -> Path:
    from tempfile import mkdtemp

    folder = Path(mkdtemp())
    leave_batch(folder, {"1.png": 1, "2.png": 2}, {"1.png": 1, "2.png": 2})
    return folder


@cache
def batch_options() -> Sequence[str]:
    return [(left_batch() / "out" / OPTIONS_FILE).read_text(encoding="utf-8")]


@cache
def journal_lines() -> Sequence[str]:
    lines = (left_batch() / "out" / JOURNAL).read_text(encoding="utf-8").splitlines()
    return [
        next(line for line in lines if '"held"' in line),
        next(line for line in lines if line.startswith('{"photo"')),
    ]


def take_batch(name: str) -> Callable[[Path, str], None]:
    """Return a function that takes a batch's folder, with one changed file or line, into a server's database."""

    def take(folder: Path, text: str) -> None:
        import shutil

        out = folder / "out"
        shutil.copytree(left_batch() / "out", out)
        data = text.encode(errors="surrogatepass")
        if name == JOURNAL:
            lines = (out / name).read_bytes().splitlines(keepends=True)
            opening = data[:9]
            data = (
                b"".join(line for line in lines if not line.startswith(opening[:7])) + data.replace(b"\n", b" ") + b"\n"
            )
            if not text.strip():
                return
        (out / name).write_bytes(data)
        photos = str(left_batch() / "photos")
        import_batch(out, None, photos, Settings(data=folder / "data"), lambda stage, done, of: None)

    return take


FORMS: dict[str, Form] = {
    "label": Form(label_texts, hostile_json, take_label),
    "notation": Form(notations, hostile_line, take_notation),
    "record": Form(records, hostile_line, take_record),
    "table of spots": Form(spot_tables, hostile_line, take_spot_table),
    "label of spots": Form(spot_labels, hostile_json, take_spot_table),
    **{f"report {how}": Form(reports, hostile_json, take_report(*words)) for how, words in REPORT_COMMANDS.items()},
    **{
        f"report of spots {how}": Form(spot_reports, hostile_json, take_report(*words))
        for how, words in REPORT_COMMANDS.items()
    },
    "report enrolled": Form(reports, hostile_json, take_report("enrol", "tiles", "FILE", "--photo", "PHOTO")),
    "monuments enrolled": Form(
        spot_reports, hostile_json, take_report("enrol", "monuments", "FILE", "--photo", "PHOTO")
    ),
    "corrections": Form(corrections, hostile_json, take_corrections),
    "fragment": Form(fragments, hostile_json, take_fragment),
    "listing": Form(listings, hostile_line, take_listing),
    "pattern": Form(lambda: ["{event}/round-{round}-table-{table}{}"], hostile_line, take_pattern),
    **{
        option: Form(
            lambda words=words: words,  # type: ignore[misc]
            hostile_line,
            take_option(option, BABEL_TABLE if option == "--set" else notations()[1]),
        )
        for option, words in WORDS.items()
    },
    "--values": Form(lambda: ["discs.giza=2 track.red=40\n# remark\ndiscs.babel=1\n"], hostile_line, take_values),
    "--square": Form(lambda: ["0,1", "row 1, column 2", "R1.1", "red"], hostile_line, take_square),
    "--points": Form(lambda: ["12,7"], hostile_line, take_points),
    "components": Form(components, hostile_toml, take_components),
    "wonder": Form(wonder_files, hostile_toml, take_wonder_file),
    "spaces": Form(spaces_files, hostile_toml, take_spaces_file),
    "calibration": Form(calibrations, hostile_toml, take_calibration),
    "board file": Form(lambda: [BABEL_PRINTS + format_components()], hostile_toml, take_board_file(COMPONENTS)),
    "board file's manifest": Form(
        lambda: [json.dumps({"format": 1, "game": "tower-of-babel"})], hostile_json, take_board_file(MANIFEST)
    ),
    "board draft": Form(board_drafts, hostile_json, take_board_draft),
    "shapes draft": Form(shape_drafts, hostile_json, take_shape_draft),
    "prints": Form(printed_metadata, hostile_json, take_print),
    "settings": Form(settings_texts, hostile_json, take_settings),
    "batch options": Form(batch_options, hostile_json, take_batch(OPTIONS_FILE)),
    "journal": Form(journal_lines, hostile_json, take_batch(JOURNAL)),
}

EXAMPLES = int(os.environ.get("WONDERTALLY_TEST_TEXTS", "0"))
"""Random texts of each form; 0 means half as many as for other properties, and the same in every run."""
