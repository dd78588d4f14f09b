"""The loss of the net of pieces: the hardest places count once more."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
pytest.importorskip("onnxscript", reason="training needs the extra [train]")

from torch import Tensor  # noqa: E402

from models.training.train_pieces import HARD_SHARE, HARD_WEIGHT, OUTPUTS, compute_loss  # noqa: E402

PICTURES = 40


@dataclass
class Says:
    """A net with a fixed output."""

    out: Tensor

    def __call__(self, pictures: Tensor, leans: Tensor) -> Tensor:
        return self.out


def batch() -> list[Tensor]:
    """Return places without a piece."""
    nothing = torch.full((PICTURES,), -1)
    pictures = torch.zeros(PICTURES, 4, 4, 7)
    offsets = torch.zeros(PICTURES, 2)
    return [pictures, torch.zeros(PICTURES), torch.zeros(PICTURES, dtype=torch.long), nothing, nothing, offsets]


def said(presence: Tensor) -> Says:
    out = torch.zeros(PICTURES, OUTPUTS)
    out[:, 0] = presence
    return Says(out)


def test_the_loss_of_equal_pictures_is_their_mean() -> None:
    alike = compute_loss(said(torch.full((PICTURES,), 1.5)), batch())
    assert float(alike) == pytest.approx(float(torch.nn.functional.softplus(torch.tensor(1.5))))


def test_the_hardest_pictures_weigh_more() -> None:
    presence = torch.full((PICTURES,), -20.0, requires_grad=True)
    with torch.no_grad():
        presence[: round(HARD_SHARE * PICTURES)] = 20.0
    compute_loss(said(presence), batch()).backward()
    assert presence.grad is not None
    assert float(presence.grad[0]) == pytest.approx((1 - HARD_WEIGHT + HARD_WEIGHT / HARD_SHARE) / PICTURES, rel=1e-3)


def test_a_place_without_a_piece_needs_no_name() -> None:
    out = torch.randn(PICTURES, OUTPUTS)
    out[:, 0] = -30.0
    assert float(compute_loss(Says(out), batch())) == pytest.approx(0, abs=1e-4)
