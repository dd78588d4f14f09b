"""How well score boards are read: spaces right, refused and wrong, over photos from `datasets.generate`.

    python -m datasets.evaluation.score_tracks synthetic/tracks/*.json

Score boards of another design than the first edition's are enrolled first:

    wondertally enrol score-board synthetic/ring/score_board.jpg --name ring --spaces synthetic/ring/score_board.toml

Tokens of 50 and 100 points likewise:

    wondertally enrol score-token synthetic/ring/token_50.jpg --points 50
    wondertally enrol score-token synthetic/ring/token_100.jpg --points 100

A piece counts as read if exactly one certain piece of its colour is found, on one space; otherwise it is refused. A
token is refused if it is not found or its owner is in doubt.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from vision.enrolment.score_boards import ScoreBoards, ScoreTokens
from vision.errors import ReadingError
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.reading.values import TrackReading


def judge_tokens(truth: Sequence[Mapping[str, Any]], read: TrackReading | None) -> Counter[str]:
    """Count the true tokens that were found and read `right`, `refused` or `wrong`, and those `invented`."""
    left = [] if read is None else list(read.tokens)
    counts = Counter(tokens=len(truth))
    for true in truth:
        corners = np.array(true["corners_px"], np.float32)
        there = [token for token in left if cv2.pointPolygonTest(corners, token.corners_px.mean(0).tolist(), False) > 0]
        if not there:
            counts["tokens refused"] += 1
            continue
        left.remove(there[0])
        counts["tokens found"] += 1
        right = (there[0].points, there[0].colour) == (true["points"], true["colour"])
        counts["tokens refused" if there[0].doubtful else "tokens right" if right else "tokens wrong"] += 1
        counts["token points right"] += there[0].points == true["points"]
    counts["tokens invented"] += len(left)
    return counts


def judge_pieces(truth: Sequence[Mapping[str, Any]], read: TrackReading | None) -> Counter[str]:
    """Count the true pieces that were read `right`, `refused` or `wrong`, and the certain ones `invented`."""
    pieces = () if read is None else read.pieces
    counts = Counter(sheets=1, found=int(read is not None))
    for true in truth:
        matches = [piece for piece in pieces if piece.colour == true["colour"]]
        if len(matches) != 1 or matches[0].doubtful:
            counts["refused"] += 1
            continue
        counts["right" if matches[0].spaces == (true["space"],) else "wrong"] += 1
        counts["pose right" if matches[0].pose == true["pose"] else "pose wrong"] += 1
    colours = {true["colour"] for true in truth}
    counts["invented"] += sum(piece.colour not in colours and not piece.doubtful for piece in pieces)
    return counts


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.score_tracks", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("labels", type=Path, nargs="+", help="labels with a score board, their photos beside them")
    reader = Reader(score_boards=ScoreBoards().all(), score_tokens=ScoreTokens().all())
    total: Counter[str] = Counter()
    for path in parser.parse_args(arguments).labels:
        label = json.loads(path.read_text(encoding="utf-8"))
        read = _read(reader, path.with_name(label["photo"]))
        counts = judge_pieces(label["score_board"]["pieces"], read)
        if (tokens := label["score_board"].get("tokens")) is not None:
            counts += judge_tokens(tokens, read)
        print(path.stem, dict(counts), flush=True)
        total += counts
    print("all", dict(total))


def _read(reader: Reader, photo: Path) -> TrackReading | None:
    try:
        return reader.read(Photo.from_path(photo)).track
    except ReadingError:
        return None


if __name__ == "__main__":
    main()
