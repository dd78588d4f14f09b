"""A reading of several photos: each can be fetched, and drawn on in its own pixels."""

from __future__ import annotations

import io
from pathlib import Path

from PIL import Image
from starlette.testclient import TestClient

from api.app import create_app
from api.carcassonne.report.snapshot import Snapshot
from api.documents.report import Report
from api.server.settings import Settings
from tests.api.doubted import held
from tests.api.serving import error_in, keep


def of_two_sizes(read: Snapshot) -> Snapshot:
    """Return a reading whose second photo is half as large, with everything at half its coordinates."""
    first, second = read.views
    photo = second.photo.model_copy(update={"width": first.photo.width // 2, "height": first.photo.height // 2})
    return read.model_copy(update={"views": (first, second.model_copy(update={"photo": photo}))})


def test_each_of_several_photos_is_drawn_on_in_its_own_pixels(tmp_path: Path) -> None:
    app, read = create_app(Settings(data=tmp_path)), of_two_sizes(held(5, photos=2))
    keep(app, "several", "token", read)
    client = TestClient(app, "http://localhost:8000")
    sizes = [(view.photo.width, view.photo.height) for view in read.views]
    photos = client.get("/v1/readings/several").json()["photos"]
    assert photos == [{"number": n, "width": width, "height": height} for n, (width, height) in enumerate(sizes)]
    for number, (width, height) in enumerate(sizes):
        for form, grown in (("photo", False), ("overlay.png", True)):
            answer = client.get(f"/v1/readings/several/{form}", params={"number": number})
            with Image.open(io.BytesIO(answer.content)) as picture:
                assert picture.width == width
                assert (picture.height > height) is grown
    main, other = (
        Report.model_validate(client.get("/v1/readings/several/report.json", params={"number": number}).json())
        for number in (0, 1)
    )
    assert (main.photo, other.photo) == tuple(view.photo for view in read.views)
    for tile, there in zip(main.board.tiles, other.board.tiles, strict=True):
        corners_by_photo = {view.photo: view.corners_px for view in tile.seen or []}
        assert there.corners_px == corners_by_photo.get(1)
    assert other.scores == main.scores
    assert error_in(client.get("/v1/readings/several/report.json?number=2"), 404)["code"] == "not_found"
    assert client.get("/v1/readings/several/report.pdf").content.startswith(b"%PDF-")
    assert error_in(client.get("/v1/readings/several/photo?number=2"), 404)["code"] == "not_found"
