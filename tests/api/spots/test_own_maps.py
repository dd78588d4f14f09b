"""Maps of players' own in World Wonders: which map is in a photo, and whose it is."""

from __future__ import annotations

import numpy as np
import pytest

from api.documents.corrections import CORRECTIONS, Correction
from api.spots.labelled_table import LabelledTable
from api.spots.questions import AskedDoubt, ask_doubts
from api.spots.review import build_table_review
from api.spots.snapshot import SpotSnapshot, build_table_snapshot
from datasets.world_wonders.deal import City, deal_city
from datasets.world_wonders.own_copy import COLOURS, build_land, format_components
from datasets.world_wonders.tables import Shot, list_laid, shoot
from scoring.world_wonders.game import GAME
from tests.api.spots.conftest import ART, build_enrolment, to_photo
from vision.enrolment.games import GameEnrolment
from vision.evaluation.spot_judge import Truth
from vision.flat_boards.reading import SpotReading, TableReading
from vision.world_wonders.reader import build_reader

OUTLINE = np.zeros((4, 2))


def deal(colour: str, seed: int) -> City:
    return deal_city(colour, build_land("B", colour), 30, np.random.default_rng(seed))


def build_snapshot(*colours: str, shown: tuple[str, ...] = COLOURS) -> SpotSnapshot:
    """Return a table as it is read, each player on the map of the same name; only the maps of `shown` are known."""
    laid = dict(pair for seed, colour in enumerate(colours) for pair in list_laid(deal(colour, seed)))
    spots = tuple(SpotReading(id, value, 0.99, (), OUTLINE) for id, value in laid.items())
    text = format_components("B")
    for colour in COLOURS:
        if colour not in shown:
            head, rest = text.split(f'{colour} = """', 1)
            text = head + rest.split('"""\n', 1)[1]
    return build_table_snapshot(TableReading((), colours, spots, {}, (), ()), GAME.name, text)


def rename(colour: str, instead: str) -> dict[str, str]:
    return {"kind": "player_colour", "colour": colour, "instead": instead}


@pytest.mark.parametrize("instead", ["blue", "green"])
@pytest.mark.parametrize("shown", [COLOURS, ("red", "green")])
def test_a_map_keeps_its_contents_and_points_under_another_colour(instead: str, shown: tuple[str, ...]) -> None:
    snapshot = build_snapshot("red", "green", shown=shown)
    before = build_table_review(snapshot)
    after = build_table_review(snapshot, CORRECTIONS.validate_python([rename("red", instead)]))
    now = {"red": instead, instead: "red"}
    assert {now.get(player, player): points for player, points in before.scored.totals.items()} == after.scored.totals
    assert len(after.table.laid) == len(before.table.laid)
    assert [trouble.code for trouble in after.scored.troubles] == [trouble.code for trouble in before.scored.troubles]
    back = build_table_review(snapshot, CORRECTIONS.validate_python([rename("red", instead), rename(instead, "red")]))
    assert back.table.laid == before.table.laid
    assert back.scored.totals == before.scored.totals


def test_corrections_of_squares_follow_a_change_of_owner() -> None:
    snapshot = build_snapshot("red", "green")
    square = next(spot.id for spot in snapshot.spots if spot.id.startswith("map.red.") and spot.value == "-")
    said = {"kind": "spot", "id": square, "value": "tower#9"}
    later = {"kind": "spot", "id": square.replace("red", "blue"), "value": "tower#9"}
    one = build_table_review(snapshot, CORRECTIONS.validate_python([said, rename("red", "blue")]))
    other = build_table_review(snapshot, CORRECTIONS.validate_python([rename("red", "blue"), later]))
    assert one.table.laid == other.table.laid
    assert one.scored.totals == other.scored.totals


MIN_RIGHT_SHARE = 0.95


@pytest.fixture(scope="module")
def truth(shot: Shot, snapshot: SpotSnapshot) -> Truth:
    return Truth.of(shot.label, GAME, GAME.components(snapshot.components))


def list_colour_questions(snapshot: SpotSnapshot, corrections: list[Correction]) -> list[AskedDoubt]:
    asked = ask_doubts(build_table_review(snapshot, corrections))
    return [one for one in asked if one.question.about == "colour"]


def test_both_boards_are_read_separately_and_their_frames_show_whose_they_are(
    snapshot: SpotSnapshot, shot: Shot
) -> None:
    assert {*shot.label.table.players} == {*snapshot.players}
    assert len(snapshot.players) == 2
    assert list_colour_questions(snapshot, []) == []


def test_answering_assigns_the_boards_to_their_players(snapshot: SpotSnapshot, truth: Truth) -> None:
    table, corrections = LabelledTable(truth), list[Correction]()
    while questions := list_colour_questions(snapshot, corrections):
        kind, question = questions[0]
        corrections += kind.find_truth(question, table, build_table_review(snapshot, corrections))
        assert len(corrections) <= 2
    review = build_table_review(snapshot, corrections)
    assert {*review.report.rules.players} == {*truth.table.players}
    for player in truth.table.players:
        own_squares = [id for id in truth.shown if id.startswith(f"map.{player}.")]
        right = [
            str(review.table.laid[id]).partition("#")[0].replace("monument", "")
            in (str(truth.table.laid[id]).partition("#")[0], "")
            for id in own_squares
        ]
        assert np.mean(right) >= MIN_RIGHT_SHARE


def test_a_photo_for_each_player_is_read_as_one_table() -> None:
    enrolment = build_enrolment()
    shots = [shoot("table", ART, "A", (70.0, 80.0), np.random.default_rng(seed), ("wood",), 0.8) for seed in (17, 8)]
    reading = build_reader(enrolment).read([to_photo(shot.image, f"{n}.png") for n, shot in enumerate(shots)])
    assert {*reading.players} == {"green", "red"}
    assert len(reading.photos) == 2
    assert {spot.photo for spot in reading.spots} == {0, 1}


@pytest.mark.soak
def test_pieces_of_unknown_shape_are_not_doubted_square_by_square() -> None:
    enrolment = build_enrolment()
    text = "\n".join(
        line for line in enrolment.components.splitlines() if not line.startswith(("[[buildings", "shape ="))
    )
    shot = shoot("table", ART, "A", (70.0, 80.0), np.random.default_rng(17), ("wood",), 0.9)
    reading = build_reader(GameEnrolment(GAME.name, text, enrolment.pictures)).read([to_photo(shot.image, "one.png")])
    doubted = [
        spot.id
        for spot in reading.spots
        if any(
            likely > 0.5 and str(value).partition("#")[0] == str(spot.value).partition("#")[0]
            for value, likely in spot.alternatives
        )
    ]
    assert doubted == []
