"""The figures of held-out printings: crops of other boxes alone, their classes and edges, and counts of mistakes."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import numpy as np

from datasets.render.random_tables import Props
from datasets.render.tabletops import KINDS
from models.evaluation.other_boxes import describe_figures, stream_held_out_samples
from models.samples.tiles import CLASSES, OTHER, find_class
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art, plain


def test_only_tiles_of_other_boxes_are_measured() -> None:
    art = replace(cheap_art(), others={"AM/CCRR": (plain((90, 200, 120), 24),)})
    props = Props.gather([art], [deal_random_board(Random(1), 20)], KINDS[:1], np.random.default_rng(1), grounds=1)
    samples = list(stream_held_out_samples(props, 2, np.random.default_rng(2)))
    turned = {find_class("AM/CCRR", turns) for turns in range(4)}
    assert samples
    assert {int(label) for _, label, _ in samples} <= turned


def test_mistakes_are_counted_and_named() -> None:
    probs = np.full((3, len(CLASSES) + 1), 1e-6)
    probs[[0, 1, 2], [5, 7, OTHER]] = 0.99, 0.99, 0.5
    edges = np.array([[0, 1, 2, 3], [0, 0, 0, 0], [-1, -1, -1, -1]])
    logits = np.zeros((3, 4, 4))
    logits[:2, :, 0] = 1
    lines = list(describe_figures(probs, np.array([5, 6, 6]), logits, edges))
    assert [line.split(",")[0] for line in lines[:4]] == [
        "topology 1 of 3",
        "edges 5 of 8",
        "sure 2 of 3",
        "sure and wrong 1 of 3",
    ]
    assert lines[4:] == []
    twice = list(describe_figures(probs[[1, 1]], np.array([6, 6]), logits[[1, 1]], edges[[1, 1]]))
    (tile, turns), (other, others_turns) = CLASSES[6], CLASSES[7]
    assert twice[4:] == [f"2 x {tile}@{turns} read as {other}@{others_turns}"]
