"""The print of a wonder enrolled over HTTP: kept from the photo or the reading that is named with the layout."""

from __future__ import annotations

from pathlib import Path

from tests.api.http.copies import photograph_copy, write_copy
from tests.api.serving import error_in, running
from tests.vision.teaching.lone import draw_lone
from vision.enrolment.wonders import TaughtWonders


def test_the_print_of_what_was_seen_is_kept_with_the_layout(tmp_path: Path) -> None:
    """A photo and a reading are named in few bytes; the pixels are those that the server already has."""
    with running(tmp_path / "data", readers=1) as server:
        taught = TaughtWonders(server.data / "wonders")
        file, _ = draw_lone("WH/tikal")
        picture = {"photo": ("lone.jpg", file.read_bytes(), "image/jpeg")}
        seen = server.client.post("/v1/wonders/tikal/photo", files=picture).raise_for_status().json()
        body = {"plan": seen["plan"], "photo": seen["photo"]}
        answer = server.client.put("/v1/wonders/tikal", json=body).raise_for_status().json()
        assert answer["print"] == "lone.jpg"
        art = taught.load("tikal").art
        assert art is not None
        assert (art.source, [key.tile for key in art.keys]) == ("lone.jpg", [f"WH/tikal#{cell}" for cell in range(5)])
        again = server.client.put("/v1/wonders/tikal", json=body).raise_for_status().json()
        assert again["print"] == "lone.jpg"
        assert not taught.earlier_folder.exists(), "what is kept already is no further step"
        for named, code in (
            ({"photo": "nonesuch"}, "print_gone"),
            ({"reading": "nonesuch"}, "not_found"),
            ({"reading": "x", "photo": "x"}, "bad_field"),
        ):
            refused = server.client.put("/v1/wonders/tikal", json={"plan": seen["plan"], **named})
            assert error_in(refused)["code"] == code
        other = {"plan": write_copy(), "photo": seen["photo"]}
        assert error_in(server.client.put("/v1/wonders/stonehenge", json=other))["code"] == "wonder_not_seen"
        table = {"photo": ("table.jpg", photograph_copy(), "image/jpeg")}
        reading = server.client.post("/v1/readings", files=table).raise_for_status().json()
        lies = server.client.get(f"/v1/readings/{reading['id']}/wonders/stonehenge").raise_for_status().json()
        body = {"plan": lies["plan"], "reading": reading["id"]}
        answer = server.client.put("/v1/wonders/stonehenge", json=body).raise_for_status().json()
        assert answer["print"] == "table.jpg"
        art = taught.load("stonehenge").art
        assert art is not None
        assert art.source == "table.jpg"
        assert {key.tile for key in art.keys} <= {f"WH/stonehenge#{cell}" for cell in range(5)}
        body = {"plan": seen["plan"], "reading": reading["id"]}
        answer = server.client.put("/v1/wonders/tikal", json=body).raise_for_status().json()
        assert answer["print"] is None, "Tikal does not lie there"


def test_whoever_may_not_teach_is_told_no_name_of_the_photo(tmp_path: Path) -> None:
    with running(tmp_path / "data", readers=1) as server:
        file, _ = draw_lone("WH/tikal")
        picture = {"photo": ("lone.jpg", file.read_bytes(), "image/jpeg")}
        far = {"Host": "table.localhost"}
        seen = server.client.post("/v1/wonders/tikal/photo", files=picture, headers=far).raise_for_status().json()
        assert seen["photo"] is None
