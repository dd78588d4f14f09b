"""Pictures of tables of spots: items bear their names, and labels stand beside the contents."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from api.documents.spot_report import SpotReport
from api.documents.table_options import Question
from api.games.registry import find_game_of
from api.games.sheets import annotate_photo
from api.i18n import load_words
from api.languages import LANGUAGES
from api.spots.overlay import annotate_spots
from api.spots.review import build_table_review
from api.spots.text import label_feature
from tests.api.page.babel import HEIGHT, WIDTH, held
from tests.api.spots_seen import wonders
from vision.arrays import Image
from vision.photo.decoding import Photo


def build_report() -> SpotReport:
    """Return a board that fills half of its photo's width and height."""
    table = held()
    spots = tuple(
        spot.model_copy(update={"outline_px": tuple((x / 2 + 400, y / 2 + 250) for x, y in spot.outline_px)})
        for spot in table.spots
    )
    return build_table_review(table.model_copy(update={"spots": spots})).report


def draw_grey() -> Image:
    return np.full((HEIGHT, WIDTH, 3), 120, np.uint8)


def test_labels_do_not_cover_parts_on_the_wonders() -> None:
    """Pictures with different labels, in words and in place, are equal in the areas of the parts."""
    report = build_report()
    pictures = [annotate_spots(draw_grey(), report, language=language)[:HEIGHT] for language in LANGUAGES]
    rings = {tuple(spot.outline_px) for spot in report.board.spots if spot.outline_px}
    assert len(rings) == 8
    for picture in pictures[1:]:
        assert (picture != pictures[0]).any()
        for ring in rings:
            (left, top), _, (right, bottom), _ = ring
            inside = np.s_[int(top) + 12 : int(bottom) - 12, int(left) + 12 : int(right) - 12]
            assert (picture[inside] == pictures[0][inside]).all()


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_scoring_feature_has_a_name_in_each_language(language: str) -> None:
    words = load_words(language)
    city = wonders("map.red.0.0=petra#1 map.red.0.1=temple#1 map.red.1.0=road#1 map.red.1.1=road#1")
    for report in (build_report(), build_table_review(city).report):
        assert report.features
        for feature in report.features:
            label = label_feature(words, report, feature.id)
            assert label
            assert not {feature.id, ".", "#", "_"} & {label, *label}
    assert label_feature(words, build_report(), "wonder.giza") == words.say("wonder-giza")


def test_a_players_markers_are_shown_with_the_sources_of_points() -> None:
    table = held()
    lefts = dict(
        zip((spot.id for spot in table.spots if spot.id.startswith("track.")), range(20, 400, 60), strict=False)
    )
    spots = tuple(
        spot.model_copy(
            update={"outline_px": tuple((lefts[spot.id] + x, 20 + y) for x, y in ((0, 0), (30, 0), (30, 30), (0, 30)))}
        )
        if spot.id in lefts
        else spot.model_copy(update={"outline_px": ()})
        for spot in table.spots
    )
    report = build_table_review(table.model_copy(update={"spots": spots})).report
    photo = Photo.from_bytes(cv2.imencode(".png", draw_grey())[1].tobytes(), "table.png")
    drawn = find_game_of(report).draw_explanation(photo, report, Question(players=("yellow",)), "en")
    plain = annotate_spots(draw_grey(), report, features=[])
    for id, left in lefts.items():
        place = np.s_[15:55, left - 5 : left + 35]
        assert (drawn[place] != plain[place]).any() == (id == "track.yellow")


def test_only_requested_features_are_explained_on_the_picture() -> None:
    report = build_report()
    game = find_game_of(report)
    photo = Photo.from_bytes(cv2.imencode(".png", draw_grey())[1].tobytes(), "table.png")
    giza = game.draw_explanation(photo, report, Question(features=("Pyramids of Giza",)), "en")
    whole = annotate_photo(draw_grey(), report)
    plain = annotate_spots(draw_grey(), report, features=[])
    on_giza, on_babel = np.s_[305:445, 455:595], np.s_[505:645, 980:1120]
    assert (giza[on_giza] == whole[on_giza]).all()
    assert (giza[on_giza] != plain[on_giza]).any()
    assert (giza[on_babel] == plain[on_babel]).all()
    assert (whole[on_babel] != plain[on_babel]).any()
    assert giza.shape[0] > whole.shape[0], "what is explained stands below, in words"


def test_the_colour_replaces_a_name_with_letters_that_the_font_lacks() -> None:
    """The picture equals that of a report without names; no boxes stand for letters."""
    report = build_report()
    photo = Photo.from_bytes(cv2.imencode(".png", draw_grey())[1].tobytes(), "table.png")
    question, pictures = Question(features=("wonder.giza",), players=("red",)), []
    for name in (None, "\u674e\u96f7", "Ann"):
        report.names = {} if name is None else dict.fromkeys(report.scores.final_scoring, name)
        pictures.append(find_game_of(report).draw_explanation(photo, report, question, "de"))
    assert np.array_equal(pictures[0], pictures[1])
    assert not np.array_equal(pictures[0], pictures[2])
