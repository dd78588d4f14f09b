"""An owner who enrols an empty board on a phone: taps are counted, everything is tapped as it is seen there."""

from __future__ import annotations

import math
from dataclasses import dataclass

import cv2
from playwright.sync_api import Page, expect

from datasets.render.empty_boards import EmptyBoardPhoto

ON_SCREEN = """([x, y]) => {
  const at = new DOMPoint(x, y).matrixTransform(document.querySelector(".world svg").getScreenCTM());
  return [at.x, at.y];
}"""
IDLE = "() => !document.querySelector('.boards-work[aria-busy]')"
PICTURE_SIZE = (
    "() => { const { width, height } = document.querySelector('.world svg').viewBox.baseVal; return [width, height]; }"
)
MIN_DRAG_PX = 5
"""Distance that the page takes for a drag and not for a tap; a dot nearer to its place is left there."""


@dataclass
class Owner:
    """A person with the photo of a board (width, height in mm) in front of a page; `taps` is the number so far."""

    page: Page
    photo: EmptyBoardPhoto
    size_mm: tuple[float, float]
    taps: int = 0

    def begin(self, board: str = "board") -> None:
        """Send the photo of one of the boards."""
        data = cv2.imencode(".jpg", self.photo.image, [cv2.IMWRITE_JPEG_QUALITY, 92])[1].tobytes()
        chooser = self.page.locator(f"[data-board='{board}'] label.primary input")
        chooser.set_input_files({"name": "board.jpg", "mimeType": "image/jpeg", "buffer": data})
        self.page.wait_for_selector(".boards-work .world svg")
        self.wait()

    def press(self, name: str) -> None:
        """Tap a button by its words."""
        self.page.get_by_role("button", name=name, exact=True).tap()
        self.taps += 1
        self.wait()

    def tap_photo(self, x: float, y: float) -> None:
        """Tap a pixel of the photo."""
        self._tap(x, y)

    def tap_board(self, x_mm: float, y_mm: float) -> None:
        """Tap a place of the board, which is rectified by now."""
        width, height = self.page.evaluate(PICTURE_SIZE)
        self._tap(x_mm / self.size_mm[0] * width, y_mm / self.size_mm[1] * height)

    def drag_box(self, name: str, box_mm: tuple[float, float, float, float]) -> None:
        """Drag the upper left and the lower right dot of a box, first selected in the list, to their places."""
        summary = self.page.locator(".boards-all summary")
        if not self.page.locator(".boards-all[open]").count():
            summary.tap()
        self.page.locator(f"[data-mark='{name}'] .ghost").tap()
        self.taps += 2
        self.wait()
        x, y, w, h = box_mm
        for dot, corner in ((0, (x, y)), (2, (x + w, y + h))):
            self._drag(f"[data-handle='{name}-{dot}']", *corner)
        self.press("Show all of it")

    def _drag(self, handle: str, x_mm: float, y_mm: float) -> None:
        self.page.locator(".boards-picture").scroll_into_view_if_needed()
        self.page.wait_for_timeout(450)
        width, height = self.page.evaluate(PICTURE_SIZE)
        box = self.page.locator(handle).bounding_box()
        assert box is not None
        dot = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
        to = self.page.evaluate(ON_SCREEN, [x_mm / self.size_mm[0] * width, y_mm / self.size_mm[1] * height])
        if math.dist(dot, to) < MIN_DRAG_PX:
            return
        self.page.mouse.move(*dot)
        self.page.mouse.down()
        self.page.mouse.move(*to, steps=4)
        expect(self.page.locator(".boards-glass")).to_be_visible()
        self.page.mouse.up()
        self.taps += 1
        self.wait()

    def show_corners_and_card(self) -> None:
        """Accept the corners that were found, or tap them; tap the card, or its corners if it is not seen."""
        if self.page.get_by_role("button", name="That is right").count() == 0:
            for corner in self.photo.corners_px:
                self.tap_photo(*corner)
        self.press("That is right")
        self.expect_prompt("Tap the middle of the card")
        self.tap_photo(*self.photo.card_px.mean(axis=0))
        if self.page.get_by_role("button", name="That is right").count() == 0:
            for corner in self.photo.card_px:
                self.tap_photo(*corner)
        self.press("That is right")

    def expect_prompt(self, words: str) -> None:
        """Expect a prompt."""
        expect(self.page.locator(".boards-prompt")).to_contain_text(words)

    def wait(self) -> None:
        """Wait until the page has done the last action."""
        self.page.wait_for_function(IDLE)

    def _tap(self, x: float, y: float) -> None:
        self.page.locator(".boards-picture").scroll_into_view_if_needed()
        self.page.wait_for_timeout(400)  # the picture glides into view
        self.page.touchscreen.tap(*self.page.evaluate(ON_SCREEN, [x, y]))
        self.taps += 1
        self.wait()
