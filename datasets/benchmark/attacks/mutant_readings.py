"""Read damaged pictures as server, batch and command line do: python -m datasets.benchmark.attacks.mutant_readings.

The path runs from bytes to snapshot, report and questions, by the function of the game that all of them call. It is
started as a process by `python -m datasets.benchmark.mutants --read`, which documents it, and never imported, since it
depends on `api`.
"""

from __future__ import annotations

from functools import partial

from api.documents.table_options import TableOptions
from api.games.registry import find_game
from api.reading.tools import ReadingTools
from api.spots.tables import Tables
from datasets.benchmark.mutants import READING_MEMORY_MIB, open_here
from vision.photo.decoding import Photo
from vision.reader import Reader


def main() -> None:
    """Read the named mutants, and print the outcomes as JSON."""
    reader = Reader(threads=1)
    game, tools = find_game("carcassonne"), ReadingTools(Tables(), lambda: reader)

    def read(data: bytes) -> str:
        review = game.review(game.read([("mutant", partial(Photo.from_bytes, data, "mutant"))], tools, TableOptions()))
        game.list_questions(review)
        return "read" if review.report.to_json() else "empty"

    open_here(read, READING_MEMORY_MIB)


if __name__ == "__main__":
    main()
