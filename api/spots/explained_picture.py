"""The explanation of a table of spots, drawn on the photo that shows most of its subjects, with words below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from api.documents.spot_explanation import SpotExplanation, SpotPlayerEntry
from api.documents.spot_report import SpotReport
from api.documents.table_options import Question
from api.errors import QuestionError
from api.i18n.report_text import label_player, translate_rule
from api.inputs.photos import find_photo_files, is_picture, open_photo
from api.spots.overlay import annotate_spots
from vision.arrays import Image as Pixels
from vision.errors import EnrolmentError
from vision.photo.decoding import Photo


def draw_spot_explanation(
    pixels: Pixels, report: SpotReport, explanation: SpotExplanation, question: Question, language: str, photo: int = 0
) -> Pixels:
    """Draw an explanation over photo number `photo` of its report (h, w, 3) BGR, with words below.

    If nothing was chosen, only each player's points are listed: they name the features that bring them, so features are
    omitted.
    """
    features = None if question.is_open else _list_features(explanation)
    described = explanation.model_copy(update={"features": []}) if question.is_open else explanation
    notes = list(_list_notes(described, report, language))
    players = [player.player for player in explanation.players]
    return annotate_spots(pixels, report, photo, features, notes, language, players)


def find_explained_photo(report: SpotReport, explanation: SpotExplanation, source: Path, given: Path | None) -> Photo:
    """Find the photo with most of the explained features: the source itself, the given one, or one beside the report.

    Raises QuestionError `wrong_photo`, EnrolmentError `photo_wanted`, PhotoError.
    """
    if is_picture(source):
        return Photo.from_path(source)
    photos = report.photos or ([report.photo] if report.photo else [])
    if given is not None:
        photo = open_photo(given)
        if photo.sha256 not in [info.sha256 for info in photos]:
            raise QuestionError("wrong_photo", details={"file": str(given)})
        return photo
    names = _list_features(explanation)
    spread = Counter(feature.photo for feature in report.features if feature.id in names and feature.outline_px)
    order = [number for number, _ in spread.most_common()] + list(range(len(photos)))
    for number in dict.fromkeys(order):
        for file in find_photo_files(photos[number], source):
            return Photo.from_path(file)
    raise EnrolmentError("photo_wanted", details={"file": ", ".join(info.file for info in photos)})


def _list_notes(explanation: SpotExplanation, report: SpotReport, language: str) -> Iterator[str]:
    """Yield the lines of an explanation: each player's points, then each feature's players and points."""
    for player in explanation.players:
        yield f"{label_player(language, player.player, report.names)}: {player.total}"
        yield from (f"   {_say_entry(entry, language)}" for entry in player.entries)
    for feature in explanation.features:
        counts = [f"{label_player(language, name, report.names)} {count}" for name, count in feature.players.items()]
        yield ": ".join([feature.label, *([", ".join(counts)] if counts else [])])
        for entry in feature.entries:
            yield f"   {label_player(language, entry.player, report.names)}: {_say_entry(entry, language)}"


def _say_entry(entry: SpotPlayerEntry, language: str) -> str:
    about = "" if not entry.label or entry.sum.startswith(entry.label) else f"{entry.label}: "
    return f"{entry.points:+d}  {about}{translate_rule(language, entry.rule)}: {entry.sum}"


def _list_features(explanation: SpotExplanation) -> list[str]:
    """List the explained features, and those that bring points to explained players."""
    named = [feature.id for feature in explanation.features]
    return [*named, *(entry.feature for player in explanation.players for entry in player.entries if entry.feature)]
