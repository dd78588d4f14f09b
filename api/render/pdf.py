"""A report as one A4 page for the tournament desk: photo, totals, every entry, open doubts, and lines to sign on.

Only the used part of the font (`fonts`) is embedded. Many entries are set in a smaller size, and finally folded into
one line for each rule.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

import cv2
from fpdf import FPDF

from api.documents.forms import AnyReport
from api.documents.report import Entry, PhotoInfo
from api.i18n import Words
from api.i18n.report_text import (
    label_player,
    translate_entry,
    translate_problem,
    translate_rule,
)
from api.render.csv_export import Occasion, rank_players
from api.render.drawing import get_player_rgb
from api.render.fonts import choose_printable_names, find_font_file, keep_printable
from vision.arrays import Image as Pixels

WIDTH, HEIGHT, MARGIN = 210.0, 297.0, 12.0
"""Width and height of A4, and the margin, in millimetres. The margin is a guess."""
INNER = WIDTH - 2 * MARGIN
PHOTO_BOXES = ((INNER, 140.0), (INNER, 112.0), (124.0, 105.0), (96.0, 84.0))
"""Maximum widths and heights of the photo in millimetres; the first that leaves room for readable entries is used."""
READABLE_SIZE = 6.5
"""Minimum size in points of entries before the photo is made smaller. A guess."""
MIN_TOTALS_WIDTH = 50.0
"""Minimum width in millimetres for the totals beside a photo; with less room they stand below it. A guess."""
PHOTO_PX = 1400
"""Longer side of the embedded picture in pixels: 7.5 a millimetre at full width, 15 at the smallest. A guess."""
GAP = 4.0
"""Gap between the parts of the page in millimetres. A guess."""
LEADING = 0.45
"""Line spacing in millimetres for each point of font size. A guess."""
SIZES = (8.5, 7.5, 6.5, 5.5)
"""Sizes of the entries in points; the first that fits is used. A guess."""
ROW_SIZES = (11.0, 9.5, 8.0, 7.0)
"""Sizes of the table of totals in points; the first that fits is used. A guess."""
ROW_HEIGHT = 6.6
"""Row height of the table of totals in millimetres. A guess."""
MAX_DOUBTS = 7
"""Maximum number of doubts on the page. A guess."""
FONT = "SourceSansPro"
SIGNATURES = 20.0
"""Height of the signature lines in millimetres. A guess."""


@dataclass(frozen=True, slots=True)
class SheetContent:
    """The game's part of a report's page: its title, the rules used, and the doubts in words.

    `occasion` is the time and place of the game; `winners` are the winners' colours, as far as known.

    `feature_labels` are the features' names by id. `picture` (h, w, 3) BGR is the annotated photo without its legend,
    if the photo is available.
    """

    title: str
    facts: Sequence[str]
    doubts: Sequence[str]
    picture: Pixels | None = None
    feature_labels: Mapping[str, str] = field(default_factory=dict)
    occasion: Occasion = field(default_factory=Occasion)
    winners: Sequence[str] = ()


def render_sheet(report: AnyReport, content: SheetContent, words: Words) -> bytes:
    """Render the page of a report as PDF."""
    return bytes(_Page(report, content, words).made().output())


@dataclass(frozen=True, slots=True)
class _Style:
    """Style of a line: size in points, L or R, bold or not."""

    size: float
    align: str = "L"
    bold: bool = False


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a player's column: text at the left, points at the right; bold for a rule with its sum."""

    text: str
    points: str
    bold: bool


class _Page:
    """Writer of one report from top to bottom."""

    def __init__(self, report: AnyReport, content: SheetContent, words: Words) -> None:
        self.report = report
        self.content = content
        self.words = words
        self.pdf = FPDF(format="A4")
        self.pdf.set_auto_page_break(False)
        self.pdf.set_margin(0)
        self.pdf.c_margin = 0
        self.pdf.add_font(FONT, "", find_font_file("Regular"))
        self.pdf.add_font(FONT, "B", find_font_file("Semibold"))
        self.places = rank_players(report, list(content.winners))
        self.names = report.names
        self.pdf.set_title(" · ".join([*self._title_parts(), *self._result_parts()]))
        self.names = choose_printable_names(report.names, words.language)
        self.pdf.set_lang(words.language)
        self.pdf.add_page()

    def made(self) -> FPDF:
        top = self._header()
        bottom = HEIGHT - MARGIN - SIGNATURES
        doubts = self._doubt_lines()
        foot = bottom - (len(doubts) + len(self._photos) + 1) * 3.6 - GAP
        width, height = self._choose_photo_size(top, foot)
        self._photo(top, width, height)
        self._totals(top, width, height)
        self._entries(self._below(top, width, height), foot)
        self._doubts(foot, doubts)
        self._signatures(bottom)
        return self.pdf

    @property
    def _photos(self) -> Sequence[PhotoInfo]:
        return self.report.photos or ([self.report.photo] if self.report.photo else [])

    @property
    def _players(self) -> list[str]:
        """All players, by place if the places are known."""
        return sorted(self.report.scores.final_scoring, key=lambda player: self.places.get(player, 0))

    def _name(self, player: str) -> str:
        return label_player(self.words.language, player, self.names)

    def _write(self, x: float, y: float, width: float, text: str, style: _Style) -> None:
        """Write a line of text with its top left corner at a point, cut off if it is too wide."""
        self.pdf.set_font(FONT, "B" if style.bold else "", style.size)
        self.pdf.set_xy(x, y)
        self.pdf.cell(width, style.size * LEADING, self._cut(text, width), align=style.align)

    def _cut(self, text: str, width: float) -> str:
        printable = keep_printable(text)
        if self.pdf.get_string_width(printable) <= width:
            return printable
        while printable and self.pdf.get_string_width(printable + "…") > width:
            printable = printable[:-1]
        return printable + "…"

    def _header(self) -> float:
        self._write(MARGIN, MARGIN, INNER, " · ".join(self._title_parts()), _Style(17, bold=True))
        self._write(MARGIN, MARGIN + 8.5, INNER, " · ".join(self._result_parts()), _Style(11, bold=True))
        self._write(MARGIN, MARGIN + 14, INNER, "  ·  ".join(self.content.facts), _Style(9))
        return MARGIN + 20

    def _title_parts(self) -> list[str]:
        """Return the place, the game and the day."""
        occasion = self.content.occasion
        places = occasion.list_places(self.words) or [self.words.say("sheet-title")]
        return [*places, self.content.title, *([occasion.day.isoformat()] if occasion.day else [])]

    def _result_parts(self) -> list[str]:
        """Return the winners and all players by place, or only the players if the places are unknown."""
        players, winners = self._players, self.content.winners
        if not self.places or not winners:
            return [self._name(player) for player in players]
        names = self.words.join(map(self._name, winners))
        total = self.report.scores.total
        ranked = [f"{self.places[player]}. {self._name(player)} {total[player]}" for player in players]
        return [self.words.say("sheet-winners", n=len(winners), players=names), *ranked]

    def _choose_photo_size(self, top: float, foot: float) -> tuple[float, float]:
        """Return the largest size of the photo on the page that leaves room for readable entries; 0 without a photo."""
        if self.content.picture is None:
            return 0.0, 0.0
        rows, columns = self.content.picture.shape[:2]
        width = height = 0.0
        for box_width, box_height in PHOTO_BOXES:
            fit = min(box_width / columns, box_height / rows)
            width, height = columns * fit, rows * fit
            size, is_folded, fits = self._set_entries(self._below(top, width, height), foot)
            if fits and not is_folded and size >= READABLE_SIZE:
                break
        return width, height

    def _is_beside(self, width: float) -> bool:
        """Return whether the totals stand beside a photo of this width."""
        return 0 < width <= INNER - GAP - MIN_TOTALS_WIDTH

    def _below(self, top: float, width: float, height: float) -> float:
        """Return the lower edge of photo and totals."""
        totals = 5 + len(self._players) * ROW_HEIGHT
        return top + (max(height, totals) if self._is_beside(width) or not width else height + GAP + totals) + GAP

    def _photo(self, top: float, width: float, height: float) -> None:
        """Place the annotated photo at the left, or centred if nothing stands beside it."""
        picture = self.content.picture
        if picture is None:
            return
        scale = min(1.0, PHOTO_PX / max(picture.shape[:2]))
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        _, data = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, 82])
        left = MARGIN if self._is_beside(width) else MARGIN + (INNER - width) / 2
        self.pdf.image(io.BytesIO(data.tobytes()), left, top, width, height)

    def _totals(self, top: float, photo_width: float, photo_height: float) -> None:
        """Write the table of totals, beside the photo or below it."""
        is_beside = self._is_beside(photo_width)
        left = MARGIN + (photo_width + GAP if is_beside else 0)
        top += 0 if is_beside or not photo_width else photo_height + GAP
        width = WIDTH - MARGIN - left
        scores = self.report.scores
        named = ("player", "final", "track", "total") if scores.on_track else ("player", "total")
        columns = [width * share for share in ((0.34, 0.25, 0.23, 0.18) if scores.on_track else (0.7, 0.3))]
        head = [self.words.say(f"sheet-{name}") for name in named]
        self._row(left, top, columns, head, head=True)
        y = top + 5
        for player in self._players:
            self.pdf.set_draw_color(190)
            self.pdf.line(left, y, left + width, y)
            self._swatch(left, y + 1.4, player)
            numbers = [scores.final_scoring[player], scores.on_track.get(player), scores.total.get(player)]
            numbers = numbers if scores.on_track else numbers[-1:]
            place = f"{self.places[player]}. " if player in self.places else ""
            self._row(left, y + 0.8, columns, [place + self._name(player), *map(_number, numbers)])
            y += ROW_HEIGHT

    def _row(self, x: float, y: float, columns: Sequence[float], texts: Sequence[str], head: bool = False) -> None:
        """Write a row of the table: the name at the left beside its colour, the numbers at the right."""
        for number, (width, text) in enumerate(zip(columns, texts, strict=True)):
            bold = head or number == len(texts) - 1
            inset = 0 if number or head else 5
            size = 7.0 if head else self._fitting(text, width - inset, bold)
            self._write(x + inset, y, width - inset, text, _Style(size, "R" if number else "L", bold))
            x += width

    def _fitting(self, text: str, width: float, bold: bool) -> float:
        """Return the largest row size in which a text fits, or the smallest one."""
        for size in ROW_SIZES:
            self.pdf.set_font(FONT, "B" if bold else "", size)
            if self.pdf.get_string_width(keep_printable(text)) <= width:
                return size
        return ROW_SIZES[-1]

    def _swatch(self, x: float, y: float, player: str) -> None:
        self.pdf.set_fill_color(*get_player_rgb(player))
        self.pdf.set_draw_color(60)
        self.pdf.rect(x, y, 3.4, 3.4, style="FD")

    def _entries(self, top: float, bottom: float) -> None:
        """Write a column for each player, in the largest size in which all columns fit."""
        players = self._players
        if not players:
            return
        width = (INNER - GAP * (len(players) - 1)) / len(players)
        size, folded, _ = self._set_entries(top, bottom)
        columns = [self._wrapped(list(self._lines(player, folded)), width, size) for player in players]
        for i, (player, lines) in enumerate(zip(players, columns, strict=True)):
            self._column(MARGIN + i * (width + GAP), top, width, player, lines, size)

    def _set_entries(self, top: float, bottom: float) -> tuple[float, bool, bool]:
        """Return the size of the entries in points, whether each rule is folded into one line, and whether they fit."""
        players = self._players
        width = (INNER - GAP * (len(players) - 1)) / max(1, len(players))
        size, folded = SIZES[0], False
        for folded, size in [*((False, size) for size in SIZES), *((True, size) for size in (*SIZES, 4.5))]:
            columns = [self._wrapped(list(self._lines(player, folded)), width, size) for player in players]
            if top + 6 + max(map(len, columns), default=0) * size * LEADING <= bottom:
                return size, folded, True
        return size, folded, False

    def _column(self, x: float, top: float, width: float, player: str, lines: Sequence[_Line], size: float) -> None:
        self._swatch(x, top + 0.6, player)
        self._write(x + 5, top, width - 5, self._name(player), _Style(9.5, bold=True))
        self.pdf.set_draw_color(120)
        self.pdf.line(x, top + 5, x + width, top + 5)
        for number, line in enumerate(lines):
            y = top + 6 + number * size * LEADING
            self._write(x, y, width - size * 0.9, line.text, _Style(size, bold=line.bold))
            self._write(x, y, width, line.points, _Style(size, "R", line.bold))

    def _lines(self, player: str, folded: bool) -> Iterator[_Line]:
        """Yield a player's entries grouped by rule, in the report's order of rules."""
        player_entries = [entry for entry in self.report.scores.entries if entry.player == player]
        order = list(dict.fromkeys(entry.rule for entry in player_entries))
        player_entries.sort(key=lambda entry: order.index(entry.rule))
        for rule, grouped in groupby(player_entries, key=lambda entry: entry.rule):
            entries = list(grouped)
            name, total = translate_rule(self.words.language, rule), sum(entry.points for entry in entries)
            if folded:
                several = self.words.say("sheet-several", n=len(entries))
                yield _Line(f"{name} ({several})", str(total), bold=False)
                continue
            yield _Line(name, str(total), bold=True)
            yield from (_Line(self._sum(entry), str(entry.points), bold=False) for entry in entries)

    def _sum(self, entry: Entry) -> str:
        text = translate_entry(self.words.language, entry)
        name = self.content.feature_labels.get(entry.feature, entry.feature)
        return f"{name}: {text}" if name and not text.startswith(name) else text

    def _wrapped(self, lines: Sequence[_Line], width: float, size: float) -> list[_Line]:
        return [part for line in lines for part in self._parts(line, width - size * 0.9, size)]

    def _parts(self, line: _Line, width: float, size: float) -> Iterator[_Line]:
        """Break a line between words; the points stand beside its first part."""
        self.pdf.set_font(FONT, "B" if line.bold else "", size)
        part, points = "", line.points
        for word in line.text.split():
            longer = f"{part} {word}".lstrip() if part.strip() else part + word
            if part.strip() and self.pdf.get_string_width(keep_printable(longer)) > width:
                yield _Line(part, points, line.bold)
                part, points = f"   {word}", ""
            else:
                part = longer
        yield _Line(part, points, line.bold)

    def _doubt_lines(self) -> list[str]:
        """List the doubts, then the problems of the board and of the score track."""
        language = self.words.language
        problems = [translate_problem(language, problem, self.names) for problem in self.report.board.problems]
        sentences = [*self.content.doubts, *problems]
        if not sentences:
            return [self.words.say("sheet-no-doubts")]
        more = len(sentences) - MAX_DOUBTS
        return sentences if more <= 0 else [*sentences[:MAX_DOUBTS], self.words.say("sheet-more", n=more)]

    def _doubts(self, top: float, lines: Sequence[str]) -> None:
        self._write(MARGIN, top, INNER, self.words.say("sheet-doubts"), _Style(8, bold=True))
        for number, text in enumerate(lines, 1):
            self._write(MARGIN, top + number * 3.6, INNER, text, _Style(7.5))
        y = top + (len(lines) + 1) * 3.6
        for number, photo in enumerate(self._photos):
            text = f"{self.words.say('sheet-photo')}: {photo.file}  SHA-256 {photo.sha256}"
            self._write(MARGIN, y + number * 3.6, INNER, text, _Style(6.5))

    def _signatures(self, top: float) -> None:
        """Draw a line for each player, the referee and the date."""
        names = [*map(self._name, self._players), self.words.say("sheet-referee"), self.words.say("sheet-date")]
        width = (INNER - GAP * (len(names) - 1)) / len(names)
        self._write(MARGIN, top + 1, INNER, self.words.say("sheet-signature"), _Style(7))
        self.pdf.set_draw_color(60)
        for number, name in enumerate(names):
            x = MARGIN + number * (width + GAP)
            self.pdf.line(x, top + SIGNATURES - 5, x + width, top + SIGNATURES - 5)
            self._write(x, top + SIGNATURES - 4.5, width, name, _Style(7))


def _number(points: int | None) -> str:
    return "" if points is None else str(points)
