"""The two forms of snapshots, reviews, questions and explanations: with tiles and meeples, or with spots."""

from __future__ import annotations

from api.corrections.review import Review
from api.explain.schema import Explanation
from api.games.spots.explanation import SpotExplanation
from api.games.spots.questions import SpotQuestion
from api.games.spots.review import TableReview
from api.games.spots.snapshot import SpotSnapshot
from api.questions.question import Question
from api.report.snapshot import Snapshot

AnySnapshot = Snapshot | SpotSnapshot
AnyReview = Review | TableReview
AnyQuestions = list[Question] | list[SpotQuestion]
AnyExplanation = Explanation | SpotExplanation
