"""The answer to a question about a board: the features, squares and players that the question names."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import get_close_matches

from api.documents.explanation_request import NamedSquare, Question
from api.errors import QuestionError
from api.i18n import fold_name, list_names
from api.inputs.subjects import find_players, list_known_features, refuse_empty_name
from scoring.carcassonne.board.board import Board
from scoring.carcassonne.board.features import Feature, FeatureMap
from scoring.carcassonne.board.square_names import find_numbered_square
from scoring.carcassonne.tiles.geometry import Square


@dataclass(frozen=True)
class Answer:
    """A question resolved on a board: features in the board's order, squares to describe, players, and the lines.

    `whole` is set if nothing in particular was asked.
    """

    features: tuple[Feature, ...]
    squares: tuple[Square, ...]
    players: tuple[str, ...]
    lines: bool
    whole: bool = False


def resolve_question(question: Question, board: Board, found: FeatureMap, players: tuple[str, ...]) -> Answer:
    """Look up the subjects of a question; raises QuestionError for any that do not exist."""
    if question.is_open:
        return Answer(tuple(found), (), players, lines=True, whole=True)
    chosen = {_find_feature(name, found).id for name in question.features}
    places = [(kind, _find_square(place, board)) for kind, place in question.places]
    for kind, square in places:
        chosen |= {feature.id for feature in _there(kind, square, board, found)}
    named = find_players(question.players, players)
    squares = tuple(dict.fromkeys(square for kind, square in places if kind is None))
    features = tuple(feature for feature in found if feature.id in chosen)
    return Answer(features, squares, named, question.lines)


def _find_square(place: Square | NamedSquare, board: Board) -> Square:
    return find_numbered_square(place, board.origin) if isinstance(place, NamedSquare) else place


def _find_feature(name: str, features: FeatureMap) -> Feature:
    """Find a feature by its label, its running number or, for a wonder, its name in any language."""
    wonders = {fold_name(title): (title, wonder) for title, wonder in _name_wonders(features)}
    if (feature := features.find(name)) is not None:
        return feature
    if (folded := fold_name(name)) in wonders:
        return wonders[folded][1]
    labels = [feature.label for feature in features]
    refuse_empty_name("no_such_feature", "feature", name, labels)
    if meant := get_close_matches(folded, wonders, 1):
        titles = [wonder.name for wonder in dict.fromkeys(wonder for _, wonder in wonders.values())]
        raise QuestionError(
            "no_such_feature", details=list_known_features(name, titles) | {"meant": wonders[meant[0]][0]}
        )
    alike = [label for label in labels if label[0] == name.strip()[:1].upper()]
    raise QuestionError("no_such_feature", details=describe_unknown_feature(name, alike or labels))


def _name_wonders(features: FeatureMap) -> Iterator[tuple[str, Feature]]:
    """Yield the name of each wonder in each language."""
    for feature in features:
        if feature.kind == "wonder":
            yield from ((title, feature) for title in list_names("wonder", feature.placements[0].tile))


def describe_unknown_feature(name: str, known: Sequence[str]) -> dict[str, object]:
    """Return the details of an error about an unknown feature: the closest match, and some known features."""
    word, by_word = name.strip().upper(), {label.upper(): label for label in known}
    alike = [other for other in by_word if other.startswith(word)] or get_close_matches(word, list(by_word), 1)
    return list_known_features(name, known) | ({"meant": by_word[alike[0]]} if alike else {})


def _there(kind: str | None, square: Square, board: Board, feature_map: FeatureMap) -> list[Feature]:
    """Return the features of a kind that have a part on a square."""
    there = [feature for feature in feature_map.on(square) if kind in (None, feature.kind)]
    if not there and (kind is not None or square not in board.tiles):
        raise QuestionError("nothing_there", details={"kind": kind or "tile", "square": list(square)})
    return there
