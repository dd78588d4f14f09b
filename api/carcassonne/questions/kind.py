"""A kind of doubt, which asks about it and finds the truth in a label."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any, Generic, TypeVar

from api.carcassonne.corrections.review import Review
from api.carcassonne.questions.asker import Asker
from api.carcassonne.questions.labelled_table import LabelledTable
from api.documents.corrections import Correction
from api.documents.question import Question

Doubted = TypeVar("Doubted")
Answer = TypeVar("Answer")


class Kind(ABC, Generic[Doubted]):
    """One kind of doubt. `Doubted` is its subject: all alternatives of one subject, a square, or an assumption."""

    @abstractmethod
    def ask(self, asker: Asker, doubted: Doubted) -> Question:
        """Build the question about a doubt; each answer carries the correction that it stands for."""

    @abstractmethod
    def find_truth(self, question: Question, table: LabelledTable, review: Review) -> Correction | None:
        """Return the label's answer to a question, even if it is not among the choices; None if no label has it."""


AnyKind = Kind[Any]


def list_answers(question: Question, kind: type[Answer]) -> list[Answer]:
    """Return a question's answers that are corrections of a kind."""
    answers = [choice.correction for choice in question.choices]
    return [answer for answer in answers if isinstance(answer, kind)]
