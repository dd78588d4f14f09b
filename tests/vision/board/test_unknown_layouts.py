"""Tiles of no class of the net, named by enrolled prints, in the lattice that several photos share."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from scoring.carcassonne.board.notation import parse_notation
from tests.vision.surveys import CATALOGUE, survey_of
from vision.board.unknown_layouts import identify_unknown_layout
from vision.enrolment.prints import TileKey
from vision.geometry.lattice_transform import Step
from vision.squares.print_matching import Beyond
from vision.survey.survey import PlacedSurvey

BOARD = parse_notation("D0E0V0")
INN, WONDER = TileKey("C31IC/T", 1), TileKey("WH/tikal#0", 0)


def placed(probabilities: list[list[float]] | None, step: Step) -> PlacedSurvey:
    """Return a photo whose squares, if of no class, are an inn, a wonder's square, or neither, by probability."""
    survey = survey_of(BOARD)
    beyond = Beyond((INN, WONDER), np.log(probabilities)) if probabilities else None
    return PlacedSurvey.at(replace(survey, logits=replace(survey.logits, beyond=beyond)), step, CATALOGUE)


@given(st.builds(Step, st.integers(0, 3), st.integers(-4, 4), st.integers(-4, 4)))
def test_the_photo_that_is_surest_names_it(step: Step) -> None:
    here = placed([[0.6, 0.1, 0.3], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], step)
    there = placed([[0.9, 0.05, 0.05], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]], step)
    named = identify_unknown_layout([here, there], step.square((0, 0)))
    assert named is not None
    assert named[0] == INN.turned(step.turns)
    assert round(named[1], 6) == 0.9
    assert identify_unknown_layout([here, there], step.square((0, 1))) is None  # a wonder's square
    assert identify_unknown_layout([here, there], step.square((0, 2))) is None
    assert identify_unknown_layout([here, there], step.square((5, 5))) is None


def test_nothing_taught_names_nothing() -> None:
    assert identify_unknown_layout([placed(None, Step())], (0, 0)) is None
