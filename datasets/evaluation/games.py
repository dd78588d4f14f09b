"""How well games are followed photo by photo: turns, pieces and points right, over games from `datasets.games`.

    python -m datasets.evaluation.games DIR/game_*

Each game is followed twice: with every photo, and with the photos after every third turn. The players are stated in
turn order, with the one on turn and the points at the first photo that is read. A turn is right if its player, tile,
place, pieces set and taken back, and points are. `final` are games whose total after the last photo is right at once,
`answered` those right after at most three answers: false assumptions are denied, then the points on the track are typed
once. A stretch is silent if it is settled and its points are wrong.

`--odd` spoils each game: two photos are swapped, one is given twice under another name, one shows another table, and
half of one is covered: three are set aside, one is put elsewhere.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2

from api.carcassonne.report.moves import MoveOptions, build_moves
from api.carcassonne.report.moves_schema import Move, Moves, Stretch
from api.documents.game_corrections import DenyTaking, GivePoints
from api.reading.surveys import GameInPhotos
from scoring.carcassonne.board.notation import parse_notation
from scoring.carcassonne.board.places import name_segment
from scoring.carcassonne.board.square_names import number_square
from scoring.carcassonne.final.rulesets import TODAY
from scoring.carcassonne.play.game import Game, Turn
from scoring.carcassonne.play.moves import PlacedTile
from scoring.carcassonne.record.text import parse_record
from scoring.carcassonne.tiles.geometry import Square
from vision.evaluation.reliability import format_share
from vision.geometry.lattice_transform import Step
from vision.photo.decoding import Photo
from vision.reader import Reader
from vision.sequence.followed import Followed

EVERY = 3
"""Turns between the photos of the second series."""
MAX_ANSWERS = 3
"""Number of answers after which a game should be right, by definition of the figure `answered`."""
HALF = "half_"
"""First part of the name of a photo that is half covered."""
SLEEVE = (128, 120, 110)
"""Colour of what covers it. A guess."""
Pieces = frozenset[tuple[str, Square, str]]


@dataclass(frozen=True)
class Line:
    """A turn in the log: tile (id, turns, square), pieces set and taken back (colour, square, place), and points."""

    player: str
    tile: tuple[str, int, Square]
    stands: Pieces
    back: Pieces
    points: frozenset[tuple[str, int]]


@dataclass(frozen=True)
class DrawnGame:
    """A drawn game: its photos by name, in the order in which they come, and the turns before each; its end."""

    folder: Path
    turns_before: Mapping[str, int]
    end: Game

    @classmethod
    def load(cls, folder: Path) -> DrawnGame:
        """Load a folder that `datasets.games` wrote."""
        photos = json.loads((folder / "game.json").read_text(encoding="utf-8"))["photos"]
        record = parse_record((folder / "record.txt").read_text(encoding="utf-8"))
        return cls(folder, {photo["photo"]: photo["turns"] for photo in photos}, record.replay())

    def state_facts(self, followed: Followed) -> MoveOptions:
        """Return what players state: the turn order, and who is on turn with which points at the first photo read."""
        players, first = self.end.setup.players, self.count_turns(followed.photos[0].file)
        points = self.compute_points(first)
        return MoveOptions(TODAY, players, players[first % len(players)], tuple(points[player] for player in players))

    def count_turns(self, file: str) -> int:
        """Return the number of turns before a photo, or before the one that it covers."""
        return self.turns_before[file.removeprefix(HALF)]

    def compute_points(self, turns: int) -> dict[str, int]:
        """Return the points after some turns."""
        return dict(self.end.turns[turns - 1].scores) if turns else dict.fromkeys(self.end.setup.players, 0)

    def write_lines(self, first: int, last: int, step: Step) -> list[Line]:
        """Return the log of some turns, on squares of the lattice to which a step leads from the game's own."""
        return [self._write_line(number, step) for number in range(first, last)]

    def _write_line(self, number: int, step: Step) -> Line:
        turn, before = self.end.turns[number], self.compute_points(number)
        tile = turn.move.tile
        assert isinstance(tile, PlacedTile)
        placement, square = tile.placement, step.square(tile.square)
        turns = (placement.turns + step.turns) % placement.layout.symmetry
        stands = ((turn.move.player, tile.square, stand.segment) for stand in turn.move.stands)
        back = ((piece.colour, piece.square, piece.segment) for piece in turn.returned)
        gains = {player: points - before[player] for player, points in turn.scores.items()}
        return Line(
            turn.move.player,
            (placement.tile, turns, square),
            self._place_pieces(stands, step),
            self._place_pieces(back, step),
            frozenset((player, gain) for player, gain in gains.items() if gain),
        )

    def _place_pieces(self, pieces: Iterable[tuple[str, Square, int | None]], step: Step) -> Pieces:
        """Return pieces with their places as named in the other lattice."""
        tiles, placed = self.end.board().tiles, []
        for colour, square, segment in pieces:
            placement = tiles[square]
            assert placement is not None
            assert segment is not None
            name = name_segment(placement.layout, (placement.turns + step.turns) % 4, segment)
            placed.append((colour, step.square(square), name))
        return frozenset(placed)


def read_line(move: Move) -> Line:
    """Return the line of the log of a move as read."""
    (tile,) = move.tiles
    assert tile.tile is not None
    assert tile.turns is not None
    gains = Counter[str]()
    for entry in move.scores:
        gains[entry.player] += entry.points
    return Line(
        move.player,
        (tile.tile, tile.turns, (tile.row, tile.col)),
        frozenset((piece.colour, piece.tile, piece.on) for piece in move.pieces),
        frozenset((piece.colour, piece.tile, piece.on) for piece in move.back),
        frozenset((player, gain) for player, gain in gains.items() if gain),
    )


def find_step(game: DrawnGame, moves: Moves) -> Step | None:
    """Return the step from the squares of the game to those of its first photo that most tiles agree with, if any."""
    lies = {square for turn in game.end.turns[game.count_turns(moves.photos[0].file) :] for square in _squares(turn)}
    there = [(square, tile) for square, tile in game.end.board().known if square not in lies]
    votes = Counter[Step]()
    for square, tile in parse_notation(moves.boards[0]).known:
        for other, true in there:
            for turns in range(4) if true.tile == tile.tile else ():
                if (true.turns + turns) % true.layout.symmetry == tile.turns:
                    row, col = Step(turns).square(other)
                    votes[Step(turns, square[0] - row, square[1] - col)] += 1
    return votes.most_common(1)[0][0] if votes else None


def _squares(turn: Turn) -> Iterable[Square]:
    return turn.move.tile.placements


def judge_game(game: DrawnGame, moves: Moves) -> Counter[str]:
    """Count turns, those read right, their pieces, stretches with points in the range, and silent ones."""
    counts = Counter(turns=len(game.end.turns), photos=len(game.turns_before), aside=len(moves.set_aside))
    step = find_step(game, moves)
    numbers = [game.count_turns(photo.file) for photo in moves.photos]
    for first, last, stretches in _join_stretches(game, moves):
        read = [read_line(move) for stretch in stretches for move in stretch.moves if len(move.tiles) == 1]
        counts += judge_stretch(game.write_lines(first, last, step) if step else [], read)
        gained = Counter(game.compute_points(last))
        gained.subtract(game.compute_points(first))
        counts["silent"] += all(stretch.settled for stretch in stretches) and any(
            gained[player] != sum(dict(line.points).get(player, 0) for line in read) for player in gained
        )
    for number, scores in zip(numbers, moves.scores, strict=True):
        true_points = game.compute_points(number)
        counts["scores"] += 1
        counts["told"] += scores.points is not None
        counts["in range"] += scores.points is not None and all(
            low <= true_points[player] <= high for player, (low, high) in scores.points.items()
        )
        counts["likeliest"] += scores.likeliest == true_points
    is_right = has_true_total(game, moves)
    counts += Counter({"games": 1, "final": int(is_right), "silent games": int(moves.settled and not is_right)})
    return counts


def has_true_total(game: DrawnGame, moves: Moves) -> bool:
    """Return whether each player's total is that of the game, with the final scoring of its last board."""
    return moves.totals is not None and dict(moves.totals.total) == game.end.totals()


def answer(game: DrawnGame, followed: Followed) -> Moves:
    """Return the log after at most three answers, the last of which types the points."""
    options = game.state_facts(followed)
    moves = build_moves(followed, options)
    for _ in range(MAX_ANSWERS - 1):
        denied = next(_list_false_assumptions(game, moves), None)
        if denied is None or has_true_total(game, moves):
            break
        options = replace(options, corrections=(*options.corrections, denied))
        moves = build_moves(followed, options)
    if has_true_total(game, moves):
        return moves
    last = moves.photos[-1].file
    typed = GivePoints(photo=last, points=game.compute_points(game.count_turns(last)))
    return build_moves(followed, replace(options, corrections=(*options.corrections, typed)))


def _list_false_assumptions(game: DrawnGame, moves: Moves) -> Iterator[DenyTaking]:
    """Yield the answer to each assumed piece that was not set."""
    step = find_step(game, moves)
    stood = {line.tile[2] for line in game.write_lines(0, len(game.end.turns), step) if line.stands} if step else set()
    for problem in (problem for stretch in moves.stretches for problem in stretch.open):
        if problem.code == "assumed_piece" and tuple(problem.tiles[0]) not in stood:
            yield DenyTaking(square=number_square(problem.tiles[0], moves.origin))


def judge_stretch(true: Sequence[Line], read: Sequence[Line]) -> Counter[str]:
    """Count the turns whose line, tile and pieces are read."""
    counts = Counter[str]()
    for line in true:
        same = [other for other in read if (other.tile, other.player) == (line.tile, line.player)]
        counts["tiles right"] += bool(same)
        counts["pieces right"] += any((one.stands, one.back) == (line.stands, line.back) for one in same)
        counts["turns right"] += line in read
    return counts


def list_differences(game: DrawnGame, moves: Moves) -> Iterator[str]:
    """Yield the turns that are not read, with the moves in their place and what the photos leave open."""
    step = find_step(game, moves)
    if step is None:
        yield f"no tile of the first photo is read right: {moves.boards[0]}"
        return
    for aside in moves.set_aside:
        yield f"{aside.file} is set aside: {aside.reason}"
    for problem in moves.open:
        yield f"open: {problem.code} {problem.text}"
    for first, last, stretches in _join_stretches(game, moves):
        read = [read_line(move) for stretch in stretches for move in stretch.moves if len(move.tiles) == 1]
        wrong = [line for line in game.write_lines(first, last, step) if line not in read]
        if wrong:
            yield f"{first} to {last}{' (settled)' if all(stretch.settled for stretch in stretches) else ''}:"
            yield from (f"    true {line}" for line in wrong)
            yield from (f"    read {line}" for line in read)
            for problem in (problem for stretch in stretches for problem in stretch.open):
                yield f"    open {problem.code} {problem.text}"


def _join_stretches(game: DrawnGame, moves: Moves) -> Iterator[tuple[int, int, list[Stretch]]]:
    """Yield the numbers of turns before and after stretches; one that ends with a covered photo is joined to the next:
    its cover may hide the latest tile.
    """
    stretches: list[Stretch] = []
    for stretch in moves.stretches:
        stretches.append(stretch)
        first, last = stretches[0].photos[0], stretch.photos[1]
        if last == len(moves.photos) - 1 or not moves.photos[last].file.startswith(HALF):
            yield game.count_turns(moves.photos[first].file), game.count_turns(moves.photos[last].file), stretches
            stretches = []


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        prog="python -m datasets.evaluation.games", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("folders", type=Path, nargs="+", help="folders of games that datasets.games wrote")
    parser.add_argument("--odd", action="store_true", help="spoil each game by four odd photos")
    parser.add_argument("--verbose", action="store_true", help="print the turns that are not read right")
    options = parser.parse_args(arguments)
    reader, totals = Reader(), dict[str, Counter[str]]()
    games = [DrawnGame.load(folder) for folder in options.folders]
    for number, game in enumerate(games):
        follow = partial(follow_spoilt, other=games[number - 1]) if options.odd else follow_game
        for kind, (followed, unread) in follow(reader, game).items():
            moves = build_moves(followed, game.state_facts(followed))
            counts = judge_game(game, moves)
            counts["answered"] += has_true_total(game, answer(game, followed))
            counts["aside"] += unread
            counts["moved"] += sum(problem.code == "photo_moved" for problem in moves.open)
            print(f"{game.folder.name}, {kind}:", *(f"{name} {count}," for name, count in counts.items()), flush=True)
            if options.verbose:
                print(*list_differences(game, moves), sep="\n", flush=True)
            totals[kind] = totals.get(kind, Counter()) + counts
    for kind, counts in totals.items():
        print_totals(kind, counts)


def follow_game(reader: Reader, game: DrawnGame) -> dict[str, tuple[Followed, int]]:
    """Follow a game by all its photos, and by those after every third turn; return the number of unread ones, too."""
    files = [(name, partial(Photo.from_path, game.folder / name), turns) for name, turns in game.turns_before.items()]
    return {
        f"a photo every {every} turns": _follow(
            reader, game, [(name, file) for name, file, turns in files if turns % every == 0 or name == files[-1][0]]
        )
        for every in (1, EVERY)
    }


def follow_spoilt(reader: Reader, game: DrawnGame, other: DrawnGame) -> dict[str, tuple[Followed, int]]:
    """Follow a game with two photos swapped, one given twice, one of another game, and one half covered."""
    files = [(name, game.folder / name) for name in game.turns_before]
    third = len(files) // 3
    files[third : third + 2] = reversed(files[third : third + 2])
    openers: list[tuple[str, Callable[[], Photo]]] = [(name, partial(Photo.from_path, path)) for name, path in files]
    foreign = other.folder / [*other.turns_before][-2]
    openers.insert(2 * third, (HALF + files[2 * third][0], lambda: _cover_half(files[2 * third][1])))
    openers.insert(third + 4, ("twice.jpg", partial(Photo.from_path, files[third + 2][1])))
    openers.insert(third // 2, ("foreign.jpg", lambda: Photo.from_bytes(foreign.read_bytes(), "foreign.jpg")))
    return {"with odd photos": _follow(reader, game, openers)}


def _follow(reader: Reader, game: DrawnGame, photos: Sequence[tuple[str, Callable[[], Photo]]]) -> tuple[Followed, int]:
    series = GameInPhotos(lambda: reader, {})
    for name, open_photo in photos:
        series.add(name, open_photo)
    return series.follow(game.end.setup.players), len(series.aside)


def _cover_half(path: Path) -> Photo:
    """Return a photo whose left half a grey sleeve covers."""
    picture = Photo.from_path(path).pixels.copy()
    picture[:, : picture.shape[1] // 2] = SLEEVE
    return Photo.from_bytes(cv2.imencode(".jpg", picture)[1].tobytes(), HALF + path.name)


def print_totals(kind: str, counts: Mapping[str, int]) -> None:
    print(f"{kind}: {counts['games']} games")
    for name in ("turns right", "tiles right", "pieces right"):
        print(f"{name:>14} {format_share(counts[name], counts['turns'])}")
    for name in ("likeliest", "in range"):
        print(f"{name:>14} {format_share(counts[name], counts['scores'])}")
    for name in ("final", "answered"):
        print(f"{name:>14} {format_share(counts[name], counts['games'])}")
    silent = f"{counts['silent']} stretches, {counts['silent games']} games"
    print(f"{'silent':>14} {silent}")
    print(f"{'photos':>14} {counts['aside']} set aside, {counts['moved']} put elsewhere of {counts['photos']}")


if __name__ == "__main__":
    main()
