"""The net of the ground is trained on the same pictures as a reading shows it, and learns from them."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
pytest.importorskip("onnxscript", reason="training needs the extra [train]")

from models.samples.ground import MAX_FEATURES, POSES, GroundSamples  # noqa: E402
from models.training.networks import GroundNet  # noqa: E402
from models.training.train_ground import (  # noqa: E402
    FIELD,
    build_pictures,
    compute_loss,
    draw_batch,
)
from vision.pieces.ground_classifier import DRAWN_KINDS, GROUND_CHANNELS, GROUND_PX, DrawnGround  # noqa: E402

KINDS = tuple(kinds[0] for kinds in DRAWN_KINDS)


def build_samples(count: int = 12) -> GroundSamples:
    """Return pieces in the middle of pictures whose left half is a road and whose right half a field, by colour."""
    numbers = np.zeros((count, GROUND_PX, GROUND_PX), np.int8)
    numbers[:, :, GROUND_PX // 2 :] = 1
    numbers[:, :4] = -1
    truth = np.arange(count) % 2
    pictures = np.zeros((count, GROUND_PX, GROUND_PX, 3), np.uint8)
    pictures[:] = np.where(truth[:, None, None, None] == 0, (210, 210, 210), (60, 160, 80))
    kinds = np.full((count, MAX_FEATURES), -1, np.int8)
    kinds[:, :2] = KINDS.index("road"), FIELD
    return GroundSamples(pictures, numbers, kinds, truth.astype(np.int8), np.full(count, POSES.index("disc"), np.int8))


def test_training_pictures_equal_those_of_a_reading() -> None:
    samples = build_samples(2)
    photos, drawings, kinds = (
        torch.from_numpy(np.array(values)) for values in (samples.pictures, samples.numbers, samples.kinds)
    )
    pieces, numbers = torch.tensor([0, 0, 1, 1]), torch.tensor([0, 1, 0, 1])
    pictures = build_pictures(photos.float(), drawings, kinds, pieces, numbers)
    assert pictures.shape == (4, GROUND_CHANNELS, GROUND_PX, GROUND_PX)
    for picture, piece, number in zip(pictures.numpy(), pieces.tolist(), numbers.tolist(), strict=True):
        drawn = DrawnGround(samples.numbers[piece].astype(np.int64), ("R1", "F1"), ("road", "field"))
        shown = np.dstack([samples.pictures[piece], drawn.draw_channels([number])[0]])
        assert np.array_equal(picture.transpose(1, 2, 0), shown)


@pytest.mark.parametrize(
    ("pose", "possible"), [("standing", ["road"]), ("lying", ["field"]), ("disc", ["road", "field"])]
)
def test_a_pose_usually_allows_only_its_own_features(pose: str, possible: list[str]) -> None:
    samples = build_samples(400)
    truth = np.full(400, 1 if pose == "lying" else 0, np.int8)
    posed = GroundSamples(
        samples.pictures, samples.numbers, samples.kinds, truth, np.full(400, POSES.index(pose), np.int8)
    )
    batch = draw_batch(posed, np.arange(400), np.random.default_rng(1))
    allowed = batch[3].numpy()[:, :2]
    names = np.array(["road", "field"])
    usual = (allowed == np.isin(names, possible)).all(axis=1).mean()
    assert usual == pytest.approx(1.0 if pose == "disc" else 0.75, abs=0.08)
    assert allowed.any(axis=0)[np.isin(names, possible)].all()


def test_the_net_of_the_ground_learns_from_colours() -> None:
    torch.manual_seed(1)
    samples, net = build_samples(), GroundNet()
    optimiser = torch.optim.Adam(net.parameters(), lr=2e-3)
    losses = []
    for step in range(25):
        batch = draw_batch(samples, np.arange(len(samples)), np.random.default_rng(step))
        loss = compute_loss(net, batch)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        losses.append(float(loss.detach()))
    assert losses[0] == pytest.approx(np.log(2), abs=0.3)
    assert np.mean(losses[-3:]) < 0.1
