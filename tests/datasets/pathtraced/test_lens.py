"""A lens bends pictures and truth alike."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from datasets.pathtraced.lens import Lens, LensCamera, apply_lens, sample_lens
from tests.datasets.tables import camera

SIZE = (640, 480)
LENSES = st.builds(Lens, k1=st.floats(-0.04, 0.04), k2=st.floats(-0.012, 0.012))
PIXELS = st.tuples(st.floats(-20, 660), st.floats(-20, 500))


@given(lens=LENSES, pixel=PIXELS)
def test_unbend_is_the_inverse_of_bend(lens: Lens, pixel: tuple[float, float]) -> None:
    np.testing.assert_allclose(lens.unbend(lens.bend([pixel], SIZE), SIZE), [pixel], atol=1e-3)


@given(lens=LENSES)
def test_the_margin_holds_all_that_the_photo_shows(lens: Lens) -> None:
    w, h = SIZE
    along = np.linspace(0, 1, 33)
    border = np.concatenate([[(w * t, y) for t in along for y in (0, h)], [(x, h * t) for t in along for x in (0, w)]])
    source = lens.unbend(border, SIZE) + lens.margin(SIZE)
    assert (source >= 0).all()
    assert (source <= np.array(SIZE) + 2 * lens.margin(SIZE)).all()


@given(pixel=PIXELS)
def test_a_flawless_lens_changes_nothing(pixel: tuple[float, float]) -> None:
    np.testing.assert_allclose(Lens().bend([pixel], SIZE), [pixel], atol=1e-9)


@pytest.mark.parametrize("k1", [-0.03, 0.03])
def test_a_bright_spot_comes_to_lie_where_bend_says(k1: float) -> None:
    lens, spot = Lens(k1), np.array([520.0, 90.0])
    margin = lens.margin(SIZE)
    ys, xs = np.mgrid[: SIZE[1] + 2 * margin, : SIZE[0] + 2 * margin] + 0.5 - margin
    blob = np.exp(-((xs - spot[0]) ** 2 + (ys - spot[1]) ** 2) / 18).astype(np.float32)
    picture = apply_lens(lens, np.repeat(blob[..., None], 3, axis=2), margin)[..., 0]
    assert picture.shape == (480, 640)
    ys, xs = np.mgrid[:480, :640] + 0.5
    centre = [(picture * xs).sum() / picture.sum(), (picture * ys).sum() / picture.sum()]
    expected = lens.bend([spot], SIZE)[0]
    assert np.abs(expected - spot).max() > 2
    np.testing.assert_allclose(centre, expected, atol=0.1)


def test_corners_are_darker_by_the_falloff() -> None:
    picture = apply_lens(Lens(falloff=0.3), np.ones((482, 642, 3), np.float32), 1)
    assert picture[240, 320].mean() == pytest.approx(1, abs=1e-3)
    assert picture[0, 0].mean() == pytest.approx(0.7, abs=5e-3)


def test_a_camera_with_a_lens_projects_through_it() -> None:
    bare, lens = camera(55), sample_lens(np.random.default_rng(0))
    points = [(0, 0, 0), (2, 1, 0), (-1, 1, 0.2)]
    with_lens = LensCamera.of(bare, lens)
    np.testing.assert_allclose(with_lens.project(points), lens.bend(bare.project(points), bare.size))
    assert with_lens.elevation == pytest.approx(55)
