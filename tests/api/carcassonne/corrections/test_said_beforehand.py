"""Facts given before the photo is read: they wait, are reported, and count as soon as they can."""

from __future__ import annotations

from typing import Any

import pytest

from api.carcassonne.corrections.apply import Review, build_review
from api.carcassonne.questions.builder import build_questions
from api.carcassonne.report.snapshot import Snapshot
from api.documents.corrections import Correction, list_table_corrections
from api.documents.tile_corrections import NoWonder, SetMeeple, SetTilesInPlay, SetWonder, SetWonderOwner
from api.errors import CorrectionError
from api.i18n.report_text import translate_problem
from api.languages import LANGUAGES
from scoring.carcassonne.final.table import Table
from tests.api.carcassonne.corrections.copies import find_free_square, keep, lay
from tests.api.carcassonne.corrections.further import OWNER, WONDER
from tests.api.carcassonne.corrections.further import keep as keep_possible
from tests.api.carcassonne.report.copied import ALHAMBRA, copy_of, other_copy
from tests.api.corrected import said

OWNED = list(list_table_corrections(Table(owners={WONDER.id: "blue"})))
NOBODYS = list(list_table_corrections(Table(owners={WONDER.id: None})))


def find_owners(review: Review) -> dict[str, int]:
    (wonder,) = [feature for feature in review.report.features if feature.kind == "wonder"]
    return wonder.meeples


def list_unused(review: Review) -> list[str]:
    return [problem.code for problem in review.report.board.problems if problem.code.endswith("_not_used")]


def accept(snapshot: Snapshot, *corrections: Correction) -> SetWonder:
    """Return the answer that the possible wonder lies there."""
    questions = build_questions(build_review(snapshot, corrections))
    (yes,) = [c.correction for q in questions for c in q.choices if isinstance(c.correction, SetWonder)]
    return yes


@pytest.mark.parametrize("corrections", [OWNED, NOBODYS], ids=["blue", "nobody"])
def test_the_owner_of_a_possible_wonder_waits_until_it_lies_there(corrections: list[Correction]) -> None:
    snapshot = keep_possible()
    review = build_review(snapshot, corrections)
    assert review.board == build_review(snapshot).board
    assert list_unused(review) == ["owner_not_used"]
    (problem,) = [one for one in review.report.board.problems if one.code == "owner_not_used"]
    colour = (corrections == OWNED and "blue") or ""
    assert problem.values == {"wonder": WONDER.id, "player": colour}
    accepted = build_review(snapshot, [*corrections, accept(snapshot, *corrections)])
    assert find_owners(accepted) == ({colour: 1} if colour else {})
    assert list_unused(accepted) == []
    assert find_owners(build_review(snapshot, [accept(snapshot)])) == {OWNER: 1}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("corrections", [OWNED, NOBODYS], ids=["blue", "nobody"])
def test_unused_facts_are_reported_in_every_language(language: str, corrections: list[Correction]) -> None:
    problems = build_review(keep_possible(), [*corrections, SetTilesInPlay(count=1, beforehand=True)]).report.board
    told = {p.code: translate_problem(language, p, {"blue": "Ann"}) for p in problems.problems if "_not_used" in p.code}
    assert "Alhambra" in told["owner_not_used"]
    assert ("Ann" in told["owner_not_used"]) == (corrections == OWNED)
    assert "1" in told["tiles_not_used"]
    assert told["owner_not_used"] not in [problem.text for problem in problems.problems] or language == "en"


def test_an_owner_for_a_wonder_that_does_not_lie_there_is_refused() -> None:
    with pytest.raises(CorrectionError, match="wonder_not_there"):
        build_review(keep_possible(), [SetWonderOwner(wonder="alhambra", colour="blue")])
    for name in ("colossus", "WH/colossus"):
        with pytest.raises(CorrectionError, match="wonder_not_there"):
            build_review(keep_possible(), [SetWonderOwner(wonder=name, colour="blue", beforehand=True)])
    with pytest.raises(CorrectionError, match="colour_unknown"):
        build_review(keep_possible(), [SetWonderOwner(wonder="alhambra", colour="mauve", beforehand=True)])


def test_a_waiting_owner_is_recoloured_with_the_players_pieces() -> None:
    snapshot = keep_possible()
    repainted = [*OWNED, *said({"kind": "player_colour", "colour": "blue", "instead": "green"})]
    assert find_owners(build_review(snapshot, [*repainted, accept(snapshot, *repainted)])) == {"green": 1}


def test_too_few_tiles_in_play_are_judged_by_the_final_board() -> None:
    snapshot = keep(copy_of())
    there = len(snapshot.tiles)
    row, col = find_free_square(snapshot)
    more = said({"kind": "tile", "row": row, "col": col, "tile": "E"})
    exact = SetTilesInPlay(count=there)
    for corrections in ([exact, *more], [*more, exact]):
        with pytest.raises(CorrectionError) as refused:
            build_review(snapshot, corrections)
        details: dict[str, Any] = refused.value.details
        assert (refused.value.code, details["count"], details["on_the_table"]) == ("too_few_tiles", there, there + 1)
        assert details["correction"] == corrections.index(exact)
    gone = said({"kind": "no_tile", "row": row, "col": col})
    assert build_review(snapshot, [*more, exact, *gone]).report.rules.tiles_in_play == there


def test_a_tile_count_given_beforehand_counts_once_it_is_possible() -> None:
    snapshot = keep(copy_of())
    there = len(snapshot.tiles)
    beforehand = list(list_table_corrections(Table(tiles_in_play=there - 1)))
    review = build_review(snapshot, beforehand)
    assert list_unused(review) == ["tiles_not_used"]
    assert review.report.rules.tiles_in_play == there
    assert dict(review.report.scores.final_scoring) == dict(build_review(snapshot).report.scores.final_scoring)
    row, col = next((tile.row, tile.col) for tile in snapshot.tiles if tile.cell is None)
    fewer = build_review(snapshot, [*beforehand, *said({"kind": "no_tile", "row": row, "col": col})])
    assert list_unused(fewer) == []
    assert fewer.report.rules.tiles_in_play == there - 1


def test_an_unowned_wonder_stays_unowned_when_it_is_laid_again() -> None:
    snapshot = keep(copy_of())
    nobodys = SetWonderOwner(wonder="alhambra", colour=None)
    square = next((tile.row, tile.col) for tile in snapshot.tiles if tile.cell == 0)
    replaced = lay(snapshot, layout=dict(other_copy().entry))
    elsewhere = lay(snapshot, find_free_square(snapshot))
    cleared = NoWonder(row=square[0], col=square[1])
    orders: list[list[Correction]] = [[replaced], [elsewhere], [cleared, replaced], [cleared, elsewhere, replaced]]
    for again in orders:
        review = build_review(snapshot, [nobodys, *again])
        (reading,) = review.views[0].reading.wonders
        assert reading.nobodys
        assert find_owners(review) == {}
        assert review.report.unowned == [ALHAMBRA]
        assert not any(problem.code == "unmarked_wonder" for problem in review.report.board.problems)
        (other,) = build_review(snapshot, again).views[0].reading.wonders
        assert not other.nobodys


def test_a_wonder_keeps_its_owner_until_a_person_changes_it() -> None:
    snapshot = keep(copy_of())
    owned = SetWonderOwner(wonder="alhambra", colour="pink")
    elsewhere = lay(snapshot, find_free_square(snapshot))
    review = build_review(snapshot, [owned, elsewhere])
    assert find_owners(review) == {"pink": 1}
    assert len([meeple for meeple in review.report.board.meeples if meeple.colour == "pink"]) == 1
    before = build_review(snapshot, [owned]).report.board.meeples
    (marker,) = [meeple.id for meeple in before if meeple.colour == "pink"]
    taken = said({"kind": "no_meeple", "id": marker})
    kept_wonder = build_review(snapshot, [owned, *taken, lay(snapshot, layout=dict(other_copy().entry))])
    assert "pink" not in find_owners(kept_wonder)


def test_a_marker_placed_by_a_person_overrides_no_owner() -> None:
    snapshot = keep(copy_of())
    nobodys = SetWonderOwner(wonder="alhambra", colour=None)
    cell, _ = copy_of().marked
    at = next((tile.row, tile.col) for tile in snapshot.tiles if tile.tile == ALHAMBRA and tile.cell == cell)
    marker = SetMeeple(square=at, place="wonder", colour="green")
    again = lay(snapshot)
    assert find_owners(build_review(snapshot, [nobodys, marker, again])) == {"green": 1}
    assert build_review(snapshot, [nobodys, marker, again]).report.unowned == []


def test_a_colour_is_accepted_in_any_case() -> None:
    snapshot = keep(copy_of())
    owner, name = said(
        {"kind": "wonder_owner", "wonder": "alhambra", "colour": "Pink"},
        {"kind": "player", "colour": "PINK", "name": "Anna"},
    )
    review = build_review(snapshot, [owner, name])
    assert find_owners(review) == {"pink": 1}
    assert review.report.names == {"pink": "Anna"}


def test_a_correction_with_the_owner_nobody_gets_the_right_spelling() -> None:
    with pytest.raises(CorrectionError) as caught:
        build_review(keep(copy_of()), [SetWonderOwner(wonder="alhambra", colour="nobody")])
    assert (caught.value.code, caught.value.details["nobody"]) == ("colour_unknown", "null")
    assert "meant" not in caught.value.details
