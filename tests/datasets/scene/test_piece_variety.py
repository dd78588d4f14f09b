"""Tables with pieces of every kind: pieces on features stay, pieces lying about become anything."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from datasets.render.random_tables import Props, View, sample_table
from datasets.render.tabletops import KINDS
from datasets.scene.piece_variety import rename_players, vary_pieces
from datasets.scene.pieces import COLOURS, FURTHER_COLOURS
from datasets.scene.table import Table
from scoring.carcassonne.deal.boards import deal_random_board
from tests.datasets.tables import cheap_art

WHOLE = View((400, 300), elevation=(35, 90), whole=(0.05, 0.4))


@pytest.fixture(scope="module")
def table() -> Table:
    props = Props.gather([cheap_art()], [deal_random_board(Random(3))], KINDS, np.random.default_rng(0), 2, 64)
    return sample_table(props, WHOLE, np.random.default_rng(1), crowd=3.0)


def test_every_kind_and_pose_is_seen(table: Table) -> None:
    pieces = [meeple.piece for meeple in vary_pieces(table, 0.8, np.random.default_rng(2)).meeples]
    assert {piece.kind for piece in pieces} == {"meeple", "big", "builder", "pig", "abbot"}
    assert {piece.pose for piece in pieces} == {"standing", "lying", "disc", "upside_down"}
    assert {piece.make for piece in pieces if piece.pose == "disc"} == {0, 1}
    assert any(np.abs(piece.tilt).max() > 0.3 for piece in pieces)


def test_what_stands_on_a_feature_stays_what_it_is(table: Table) -> None:
    before = [meeple for meeple in table.meeples if meeple.segment is not None]
    after = [m for m in vary_pieces(table, 1.0, np.random.default_rng(3)).meeples if m.segment is not None]
    before_change = [(m.square, m.at, m.piece.colour, m.piece.kind, m.piece.pose, m.piece.at) for m in before]
    assert before_change == [(m.square, m.at, m.piece.colour, m.piece.kind, m.piece.pose, m.piece.at) for m in after]


def test_some_pieces_touch(table: Table) -> None:
    changed = vary_pieces(table, 0.5, np.random.default_rng(4))
    assert len(changed.meeples) > len(table.meeples)
    for before, after in zip(changed.meeples, changed.meeples[1:], strict=False):
        if after.piece.size == before.piece.size and after.segment is None:
            assert after.square == (int(np.floor(after.at[1])), int(np.floor(after.at[0])))


@pytest.mark.parametrize("seed", range(5))
def test_strays_lie_on_no_tile(table: Table, seed: int) -> None:
    squares = {tile.square for tile in table.tiles}
    for stray in vary_pieces(table, 0.5, np.random.default_rng(seed)).strays:
        col, row = stray.at
        near = [(r, c) for r, c in squares if abs(r + 0.5 - row) < 0.5 and abs(c + 0.5 - col) < 0.5]
        assert not near


def test_the_same_seed_is_the_same_table(table: Table) -> None:
    one, two = (vary_pieces(table, 0.5, np.random.default_rng(6)) for _ in range(2))
    assert one.meeples == two.meeples
    assert one.strays == two.strays


def test_players_get_any_colours_and_all_their_pieces_the_same(table: Table) -> None:
    seen = set()
    for seed in range(12):
        renamed = rename_players(table, np.random.default_rng(seed))
        names = {(old.piece.colour, new.piece.colour) for old, new in zip(table.meeples, renamed.meeples, strict=True)}
        assert len(names) == len({old for old, _ in names}) == len({new for _, new in names})
        assert len({new.piece.bgr for new in renamed.meeples}) == len(names)
        seen |= {new for _, new in names}
    assert seen == {*COLOURS, *FURTHER_COLOURS}
