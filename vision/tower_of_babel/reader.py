"""Reader of Tower of Babel boards (`vision.flat_boards.reading`): parts, discs left, counters, and the marker's row."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import cv2
import numpy as np

from scoring.calibration import load_platt_scalings, load_shares
from scoring.player_colours import NOBODY
from scoring.spots.game import Value
from scoring.tower_of_babel.board import COLOURS, WORTHS, name_parts_spot
from scoring.tower_of_babel.components import Discs, Wonder, load_components
from vision.arrays import EVEN_ODDS, Flags, Floats
from vision.enrolment.games import GameEnrolment
from vision.errors import EnrolmentError, ReadingError
from vision.flat_boards.board import BoardLie, EnrolledBoard
from vision.flat_boards.detector import BoardFinder
from vision.flat_boards.layout import read_pictures
from vision.flat_boards.reading import (
    MAX_ALTERNATIVES,
    MIN_ALTERNATIVE_PROBABILITY,
    BoardPlace,
    SpotReading,
    TableReading,
)
from vision.photo.decoding import Photo
from vision.tower_of_babel.blocks import Block, project_block
from vision.tower_of_babel.calibration import Kind, calibrate_probabilities
from vision.tower_of_babel.colour_likelihood import Paints, fit_paints
from vision.tower_of_babel.fusion import Found, Joined, join_photos, reconcile_heap, reconcile_row
from vision.tower_of_babel.layout import Layout, read_board_layout
from vision.tower_of_babel.pieces import (
    Columns,
    DiscFeatures,
    compute_count_distribution,
    compute_disc_features,
    estimate_disc_probability,
    find_columns,
    find_counters,
    find_hidden_spaces,
    locate_marker,
)
from vision.tower_of_babel.view import BoardView, build_board_view
from vision.tower_of_babel.wonders import find_heap

Chances = Mapping[Value, float]

GAME = "tower-of-babel"
PICTURE = "board"
SURE_COUNTER_PROBABILITY = 0.45
"""Minimum probability of a counter's space at which a colour without a column counts as a player. It is below even
odds, which a part needs, because a counter may stand between two spaces. A guess."""
MAX_UNSEEN_SHARE = EVEN_ODDS
"""Maximum share of a wonder's area that is outside the photo or unexplained, for its parts to be read."""


class BabelReader:
    """A reader of tables on one enrolled board (`vision.flat_boards.reading.TableReader`)."""

    def __init__(self, board: EnrolledBoard, layout: Layout, discs: Discs) -> None:
        self.layout, self.board, self.discs = layout, board, discs
        self.scalings, self.amiss = load_platt_scalings("tower_of_babel"), load_shares("tower_of_babel")
        self._finder = BoardFinder(board)

    def likeness(self, photo: Photo) -> float:
        """Return how surely a photo shows the enrolled board, from the similarity of its visible part to its
        picture."""
        lies = self._finder.find_all(photo.halves, most=1, is_tilted=False)
        return float(np.clip(lies[0].alike / 0.5, 0, 1)) if lies else 0.0

    def read(self, photos: Sequence[Photo]) -> TableReading:
        """Read the table from the photo that shows most of it; raises ReadingError `board_not_found`.

        Wonders that it does not show with certainty are also read from the others.
        """
        started = time.perf_counter()
        lies, aside = self._find_lies(photos)
        located = time.perf_counter()
        ordered = sorted(lies, key=lambda i: -lies[i].shown * min(1.0, lies[i].inliers / 200))
        founds: dict[int, Found] = {}
        for i in ordered:
            if open_wonders := [
                wonder for wonder in self.layout.known_wonders if not any(f.is_sure(wonder) for f in founds.values())
            ]:
                founds[i] = self._read_photo(photos[i], lies[i], open_wonders)
        joint = join_photos(tuple(founds.values()), self.layout.known_wonders)
        parted = time.perf_counter()
        players = _find_players(joint)
        spots = tuple(self._read_spots(joint, players))
        aside += [(photos[i], "not_needed") for i in lies if i not in founds]
        decoded = sum(photo.decode_ms for photo in photos)
        timing = {"decode": decoded, "board": 1000 * (located - started), "pieces": 1000 * (parted - located)}
        renames = (*_select_renames(joint.first.renames, players), *_list_absences(joint, players))
        places = tuple(
            BoardPlace(PICTURE, "", self.board.size_mm, lies[i].to_photo(self.board.corners), number)
            for number, i in enumerate(founds)
        )
        table_photos = tuple(photos[i] for i in founds)
        return TableReading(table_photos, players, spots, timing, tuple(aside), renames, places=places)

    def survey(self, photo: Photo) -> Found:
        """Return the reading of one photo, of all wonders and the rest of the board; raises as `read` does."""
        return self._read_photo(photo, self._finder.find(photo.halves), self.layout.known_wonders)

    def find_paints(self, photo: Photo) -> Paints:
        """Return the paints on the board in a photo; raises as `read` does."""
        view = build_board_view(photo.halves, self._finder.find(photo.halves), self.board)
        return fit_paints(view, self._mask_parts(view))

    def compare_disc_spaces(self, photo: Photo) -> dict[Wonder, list[DiscFeatures]]:
        """Compare the wonders' spaces for discs with the empty board, in one photo; raises as `read` does."""
        view = build_board_view(photo.halves, self._finder.find(photo.halves), self.board)
        paints = fit_paints(view, self._mask_parts(view))
        hidden = view.dazzled | find_columns(view, paints, self.layout.turn_order).hidden
        return {
            wonder: [compute_disc_features(view, paints, space, hidden) for space in self.layout.wonders[wonder].discs]
            for wonder in self.layout.known_wonders
        }

    def list_spots(self, found: Found) -> tuple[SpotReading, ...]:
        """Return the spots as read from one photo."""
        joint = join_photos((found,), self.layout.known_wonders)
        return tuple(self._read_spots(joint, _find_players(joint)))

    def _find_lies(self, photos: Sequence[Photo]) -> tuple[dict[int, BoardLie], list[tuple[Photo, str]]]:
        lies: dict[int, BoardLie] = {}
        aside: list[tuple[Photo, str]] = []
        for i, photo in enumerate(photos):
            try:
                lies[i] = self._finder.find(photo.halves)
            except ReadingError as error:
                if len(photos) == 1:
                    raise
                aside.append((photo, error.code))
        if not lies:
            raise ReadingError("board_not_found", "No photo shows the board that was enrolled.")
        return lies, aside

    def _read_photo(self, photo: Photo, lie: BoardLie, wonders: Sequence[Wonder]) -> Found:
        view = build_board_view(photo.halves, lie, self.board)
        paints = fit_paints(view, self._mask_parts(view))
        columns = find_columns(view, paints, self.layout.turn_order)
        hidden = columns.hidden | ~view.board | view.dazzled
        unclear = paints.find_unexplained()
        unseen = hidden | (unclear & view.find_lightened())
        counters, blocks = find_counters(view, paints, self.layout, columns.hidden | view.dazzled)
        heaps = {
            wonder: find_heap(view, paints, self.layout.wonders[wonder], self.layout.parts, unseen, unclear)
            for wonder in wonders
            if unseen[view.filled(self.layout.wonders[wonder].area.outline, 0.0)].mean() < MAX_UNSEEN_SHARE
        }
        hidden = view.dazzled | _mask_hidden(
            view, columns, [*blocks, *(block for heap in heaps.values() for block in heap.blocks)]
        )
        discs_left: dict[Wonder, Mapping[int, float]] = {}
        for wonder in wonders:
            spaces = self.layout.wonders[wonder].discs
            discs_left[wonder] = compute_count_distribution(
                [estimate_disc_probability(view, paints, space, hidden) for space in spaces]
            )
            if wonder in heaps:
                heaps[wonder], discs_left[wonder] = reconcile_heap(heaps[wonder], discs_left[wonder], self.discs)
        row = locate_marker(view, paints, self.layout.scoring_table, hidden)
        row_odds = reconcile_row(row, tuple(discs_left.values()))
        hidden_spaces = find_hidden_spaces(view, paints, self.layout, hidden)
        return Found(lie, heaps, discs_left, counters, row_odds, columns.colours, hidden_spaces, paints.renames)

    def _mask_parts(self, view: BoardView) -> Flags:
        """Return the mask (h, w) of the track and the building areas, without the disc spaces, whose colours resemble
        paint."""
        there = view.covered(self.layout.track.middles, self.layout.track.radius)
        for wonder in self.layout.wonders.values():
            there |= view.filled(wonder.area.outline, 0.0)
        for wonder in self.layout.wonders.values():
            for space in wonder.discs:
                there &= ~view.filled(space.outline, 0.0)
        return there

    def _read_spots(self, joint: Joined, players: Sequence[str]) -> Iterator[SpotReading]:
        for wonder, (photo, source) in joint.wonders.items():
            layout = self.layout.wonders[wonder]
            if heap := source.heaps.get(wonder):
                area = source.lie.to_photo(layout.area.outline)
                for player in players:
                    for worth in WORTHS:
                        chances, name = heap.chances((player, worth)), name_parts_spot(wonder, player, worth)
                        reading = self._build_reading(name, "parts", chances, area, photo)
                        yield replace(reading, hidden=heap.is_hidden)
            spaces = source.lie.to_photo(_compute_box(np.concatenate([space.outline for space in layout.discs])))
            yield self._build_reading(f"discs.{wonder}", "discs", source.left[wonder], spaces, photo)
        for player in players:
            photo, source = joint.counters.get(player, (0, joint.first))
            if space_odds := source.counters.get(player, source.hidden_spaces if joint.counters else {}):
                x, y = self.layout.track.middles[max(space_odds, key=lambda space: space_odds[space])]
                r = self.layout.track.radius
                square = np.array([(x - r, y - r), (x + r, y - r), (x + r, y + r), (x - r, y + r)])
                yield self._build_reading(f"track.{player}", "track", space_odds, source.lie.to_photo(square), photo)
        table = self.layout.scoring_table
        corners = np.concatenate([row.outline for row in (*table.rows, table.light)])
        yield self._build_reading("row", "row", joint.first.row, joint.first.lie.to_photo(_compute_box(corners)))

    def _build_reading(
        self, name: str, kind: Kind, chances: Mapping[int, float] | Chances, outline: Floats, photo: int = 0
    ) -> SpotReading:
        """Build a reading of the most likely value and its alternatives, calibrated; values too unlikely to list also
        count."""
        value, *others = sorted(chances.items(), key=lambda pair: -pair[1])
        offered = [pair for pair in others[:MAX_ALTERNATIVES] if pair[1] >= MIN_ALTERNATIVE_PROBABILITY]
        rest = sum(chance for _, chance in others) - sum(chance for _, chance in offered)
        probabilities = calibrate_probabilities(kind, [chance for _, chance in offered], self.scalings)
        confidence = (1 - self.amiss.get(kind, 0.0)) * max(0.0, 1 - sum(probabilities) - rest)
        alternatives = tuple((other, chance) for (other, _), chance in zip(offered, probabilities, strict=True))
        return SpotReading(name, value[0], confidence, alternatives, outline, photo)


def build_reader(enrolment: GameEnrolment) -> BabelReader:
    """Build the reader of an enrolled board.

    Raises EnrolmentError `nothing_to_enrol` without its picture or size, ComponentsError `components_invalid` for a
    missing or invalid layout.
    """
    facts = read_pictures(enrolment.components).get(PICTURE)
    if facts is None or PICTURE not in enrolment.pictures:
        text = f"The picture of the empty board, or [pictures.{PICTURE}] with its size, is not enrolled."
        raise EnrolmentError("nothing_to_enrol", text, {"game": GAME, "picture": PICTURE})
    board = EnrolledBoard(enrolment.pictures[PICTURE], facts.size_mm)
    return BabelReader(board, read_board_layout(enrolment.components), load_components(enrolment.components).discs)


def _find_players(joint: Joined) -> tuple[str, ...]:
    """Return the colours with pieces that are certainly on the board, in the game's order."""
    standing = _find_builders(joint) | {
        colour
        for colour, (_, source) in joint.counters.items()
        if max(source.counters[colour].values()) >= SURE_COUNTER_PROBABILITY
    }
    return tuple(colour for colour in COLOURS if colour in standing)


def _list_absences(joint: Joined, players: Sequence[str]) -> Iterator[tuple[Mapping[str, str], float]]:
    """Yield each player who has a counter, but no column and no part, as one who plays or not with even odds.

    Something else in that colour, as a paper over the track, may have been taken for a counter.
    """
    builders = _find_builders(joint)
    yield from (({player: NOBODY}, EVEN_ODDS) for player in players if player not in builders)


def _find_builders(joint: Joined) -> set[str]:
    """Return the colours with columns or parts."""
    builders = set(joint.first.columns)
    for wonder, (_, photo_result) in joint.wonders.items():
        if heap := photo_result.heaps.get(wonder):
            kinds = {kind for numbers, _ in heap.sets for kind in numbers}
            builders |= {kind[0] for kind in kinds if heap.chances(kind).get(0, 0.0) < EVEN_ODDS}
    return builders


def _select_renames(
    renames: Sequence[tuple[Mapping[str, str], float]], players: Sequence[str]
) -> Iterator[tuple[Mapping[str, str], float]]:
    """Yield the renames restricted to the colours of the players."""
    for names, probability in renames:
        changed = {old: new for old, new in names.items() if old in players}
        if changed:
            yield changed, probability


def _mask_hidden(view: BoardView, columns: Columns, blocks: Sequence[Block]) -> Flags:
    """Return the mask (h, w) of the board hidden behind objects."""
    mask = columns.hidden.astype(np.uint8)
    for block in blocks:
        hull = view.pixels(project_block(block, view.camera)[0])
        cv2.fillConvexPoly(mask, np.rint(hull).astype(np.int32), 1)
    return mask > 0


def _compute_box(corners: Floats) -> Floats:
    (x0, y0), (x1, y1) = corners.min(axis=0), corners.max(axis=0)
    return np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)])
