"""What a reading may have got wrong, as other boards that scoring can hold against it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from scoring.carcassonne.alternatives import Alternative, AnotherMeeple, OtherPlace, OtherTile, OtherWonder
from scoring.carcassonne.board import Board, PlacedMeeple, Placement
from vision.board import placed_meeple
from vision.reading import MeepleAlternative, Reading

ALTERNATIVE_LEAST = 0.01


def alternatives_of(reading: Reading, board: Board) -> Iterator[Alternative]:
    """Other tiles on squares, other places of meeples, and further meeples; `board` as read.

    All that are likelier than `ALTERNATIVE_LEAST`, whether marked as doubtful or not: many small doubts add up.
    """
    yield from _other_tiles(reading)
    yield from _other_wonders(reading)
    yield from _other_places(reading, board)
    for meeple in reading.possible_meeples:
        yield AnotherMeeple(placed_meeple(meeple), meeple.confidence)


def _other_tiles(reading: Reading) -> Iterator[OtherTile]:
    """What squares may hold; without an alternative of the reader's, a doubtful one may hold no tile at all."""
    for tile in reading.tiles:
        if tile.tile is not None and tile.cell is None:
            square = (tile.row, tile.col)
            for other in tile.alternatives:
                if other.probability >= ALTERNATIVE_LEAST:
                    yield OtherTile(square, Placement(other.tile, other.turns), other.probability)
            if tile.doubtful and not tile.alternatives:
                yield OtherTile(square, None, 1 - tile.confidence, empty=True)


def _other_wonders(reading: Reading) -> Iterator[OtherWonder]:
    """What else may lie where a doubtful wonder does, at last none at all."""
    for wonder in reading.wonders:
        if wonder.doubtful:
            squares = wonder.placed.squares
            for other, probability in wonder.alternatives:
                yield OtherWonder(squares, other, probability)
            rest = 1 - wonder.probability - sum(probability for _, probability in wonder.alternatives)
            yield OtherWonder(squares, None, max(rest, 0.0))


def _other_places(reading: Reading, board: Board) -> Iterator[OtherPlace]:
    """Where meeples may stand; without an alternative of the reader's, a doubtful one may stand nowhere."""
    for meeple in reading.meeples:
        placed = placed_meeple(meeple)
        index = board.meeples.index(placed)
        nowhere = (MeepleAlternative(None, 1 - meeple.confidence),) if meeple.doubtful else ()
        for other in meeple.alternatives or nowhere:
            if other.probability >= ALTERNATIVE_LEAST:
                yield OtherPlace(index, _instead(placed, other), other.probability)


def _instead(placed: PlacedMeeple, other: MeepleAlternative) -> PlacedMeeple | None:
    if other.segment is None:
        return None
    return replace(placed, segment=other.segment, colour=other.colour or placed.colour, kind=other.kind or placed.kind)
