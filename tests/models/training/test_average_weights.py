"""The mean of two nets of one shape, one of which may be quantised."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
pytest.importorskip("onnxscript", reason="training needs the extra [train]")

from models.training.average_weights import average_nets  # noqa: E402
from models.training.export import export  # noqa: E402
from models.training.networks import PieceNet  # noqa: E402
from models.training.onnx_weights import load_weights  # noqa: E402
from models.training.quantise import WAYS, quantise  # noqa: E402
from tests.models.trained import KINDS, exported, stirred  # noqa: E402
from vision.pieces.crops import STAND_CHANNELS, STAND_PX  # noqa: E402
from vision.pieces.kind_classifier import OUTLINE_CHANNELS, OUTLINE_PX  # noqa: E402
from vision.runtime.onnx import Net  # noqa: E402

pytestmark = pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")


@pytest.fixture
def two(tmp_path: Path) -> tuple[Path, Path]:
    """Return two exported nets of one shape."""
    return exported(tmp_path / "before.onnx", 1), exported(tmp_path / "after.onnx", 2)


@pytest.mark.parametrize("share", [0.0, 0.25, 1.0])
def test_each_mean_weight_lies_at_the_given_share_between_the_two(
    two: tuple[Path, Path], share: float, tmp_path: Path
) -> None:
    before, after = two
    average_nets(before, after, share, tmp_path / "mean.onnx")
    parts = zip(load_weights(before), load_weights(after), load_weights(tmp_path / "mean.onnx"), strict=True)
    for old, new, between in parts:
        for i in range(2):
            assert torch.allclose(between[i], (1 - share) * old[i] + share * new[i], atol=1e-6)
    assert Net(tmp_path / "mean.onnx").metadata == {"seed": 2}


def test_only_the_earlier_net_may_be_quantised(two: tuple[Path, Path], tmp_path: Path) -> None:
    before, after = two
    rng = np.random.default_rng(3)
    pictures = rng.integers(0, 256, (24, OUTLINE_PX, OUTLINE_PX, OUTLINE_CHANNELS), np.uint8)
    leans = np.linspace(0, 1, len(pictures), dtype=np.float32)
    average_nets(before, after, 0.0, tmp_path / "as_before.onnx")
    quantise(before, WAYS["pieces"], iter([*zip(pictures, leans, strict=True)] * 6))
    average_nets(before, after, 0.0, tmp_path / "as_before_in_whole_numbers.onnx")
    one, other = (
        Net(tmp_path / name)(pictures, leans=leans)[0] for name in ("as_before.onnx", "as_before_in_whole_numbers.onnx")
    )
    assert 0 < np.abs(one - other).mean() < 0.1 * one.std()
    with pytest.raises(ValueError, match="in whole numbers"):
        average_nets(after, before, 0.5, tmp_path / "never.onnx")


def test_a_colour_new_to_the_earlier_net_counts_as_a_similar_one(tmp_path: Path) -> None:
    before, after = tmp_path / "before.onnx", tmp_path / "after.onnx"
    for file, colours in ((before, ("red", "white")), (after, ("red", "white", "grey"))):
        net = stirred(PieceNet(1 + len(colours) + 1 + 2))
        metadata = {"colours": colours, "poses": ["standing"]}
        size = (STAND_PX, STAND_PX)
        export(net, file, size, ["pieces"], metadata, False, numbers=["leans"], channels=STAND_CHANNELS)
    average_nets(before, after, 0.0, tmp_path / "mean.onnx")
    (weight, bias), (wide_weight, wide_bias) = (load_weights(f)[-1] for f in (before, tmp_path / "mean.onnx"))
    white, last = 2, [3, 4, 5]
    outputs = [0, 1, white, white, *last]
    assert torch.allclose(wide_weight, weight[outputs])
    assert torch.allclose(wide_bias, bias[outputs])


def test_nets_of_other_shapes_are_refused(two: tuple[Path, Path], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"where after\.onnx has"):
        average_nets(exported(tmp_path / "wider.onnx", 1, KINDS + 1), two[1], 0.5, tmp_path / "never.onnx")
    assert not (tmp_path / "never.onnx").exists()
