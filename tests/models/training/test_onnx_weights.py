"""Exported weights are restored, quantised ones too, and the net's output is the same."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="training needs the extra [train]")
pytest.importorskip("onnxscript", reason="training needs the extra [train]")

from models.training.export import export  # noqa: E402
from models.training.networks import DenseNet, FootNet, KindNet, TileNet  # noqa: E402
from models.training.onnx_weights import take_up  # noqa: E402
from models.training.quantise import WAYS, quantise  # noqa: E402
from tests.models.trained import KINDS, exported, stirred  # noqa: E402
from vision.pieces.kind_classifier import OUTLINE_CHANNELS, OUTLINE_PX  # noqa: E402
from vision.runtime.onnx import Net  # noqa: E402


@pytest.fixture
def pictures() -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    size = (24, OUTLINE_PX, OUTLINE_PX, OUTLINE_CHANNELS)
    return np.random.default_rng(3).integers(0, 256, size, np.uint8)


@pytest.fixture
def trained(tmp_path: Path) -> Path:
    """Return a net, exported."""
    return exported(tmp_path / "kinds.onnx")


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_weights_load_into_a_net_that_creates_its_layers_in_another_order(tmp_path: Path) -> None:
    file = tmp_path / "dense.onnx"
    export(stirred(DenseNet(2)), file, (64, 64), ["maps"], {"seed": 6}, free_size=True)
    pictures = np.random.default_rng(4).integers(0, 256, (4, 64, 64, 3), np.uint8)
    inputs = [torch.from_numpy(pictures).permute(0, 3, 1, 2).float()]
    net = DenseNet(2)
    take_up(net, file, inputs, range(2))
    (logits,) = Net(file)(pictures[:1])
    with torch.no_grad():
        assert np.allclose(net.eval()(inputs[0][:1]).numpy(), logits, atol=1e-3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_a_net_with_more_inputs_starts_with_the_same_output(tmp_path: Path) -> None:
    file = tmp_path / "feet.onnx"
    export(stirred(DenseNet(2, (16, 28, 48, 64, 80))), file, (64, 64), ["maps"], {"seed": 6}, free_size=True)
    pictures = np.random.default_rng(4).integers(0, 256, (4, 64, 64, 7), np.uint8)
    inputs = [torch.from_numpy(pictures).permute(0, 3, 1, 2).float()]
    net = FootNet(2)
    take_up(net, file, inputs, range(2))
    (logits,) = Net(file)(np.ascontiguousarray(pictures[:1, ..., :3]))
    with torch.no_grad():
        assert np.allclose(net.eval()(inputs[0][:1]).numpy(), logits, atol=1e-3)
    loss = net.train()(inputs[0]).square().mean()
    loss.backward()
    assert net.down4[0][0].weight.grad[:, 16:].abs().max() > 0


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_all_outputs_of_a_net_are_restored(tmp_path: Path) -> None:
    file = tmp_path / "tiles.onnx"
    export(stirred(TileNet(7)), file, (64, 64), TileNet.outputs, {"seed": 6}, free_size=False)
    pictures = np.random.default_rng(4).integers(0, 256, (8, 64, 64, 3), np.uint8)
    inputs = [torch.from_numpy(pictures).permute(0, 3, 1, 2).float()]
    net = TileNet(7)
    take_up(net, file, inputs, range(16))
    with torch.no_grad():
        for output, expected in zip(net.eval()(*inputs), Net(file)(pictures), strict=True):
            assert np.allclose(output.numpy(), expected, atol=1e-3)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_a_restored_net_gives_the_output_of_its_file(trained: Path, pictures: np.ndarray) -> None:
    leans = np.linspace(0, 1, len(pictures), dtype=np.float32)
    inputs = [torch.from_numpy(pictures).permute(0, 3, 1, 2).float(), torch.from_numpy(leans)]
    net = KindNet(KINDS)
    take_up(net, trained, inputs, range(KINDS))
    (logits,) = Net(trained)(pictures, leans=leans)
    with torch.no_grad():
        assert np.allclose(net.eval()(*inputs).numpy(), logits, atol=1e-4)
        # In training the norms use the batch's own statistics, which are those they were given.
        assert np.allclose(net.train()(*inputs).numpy(), logits, atol=0.05 * np.abs(logits).max())


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_selected_outputs_can_be_restored(trained: Path, pictures: np.ndarray) -> None:
    leans = np.zeros(len(pictures), np.float32)
    inputs = [torch.from_numpy(pictures).permute(0, 3, 1, 2).float(), torch.from_numpy(leans)]
    net = KindNet(2)
    take_up(net, trained, inputs, [0, -1])
    (logits,) = Net(trained)(pictures, leans=leans)
    with torch.no_grad():
        assert np.allclose(net.eval()(*inputs).numpy(), logits[:, [0, -1]], atol=1e-4)


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_a_net_of_another_shape_is_refused(trained: Path) -> None:
    with pytest.raises(ValueError, match=r"where the net has"):
        take_up(KindNet(KINDS + 1), trained, [torch.zeros(1, 4, 72, 72), torch.zeros(1)], range(KINDS))


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::torch.jit.TracerWarning")
def test_a_quantised_net_gives_nearly_the_same_output(trained: Path, pictures: np.ndarray) -> None:
    leans = np.linspace(0, 1, len(pictures), dtype=np.float32)
    (before,) = Net(trained)(pictures, leans=leans)
    size = trained.stat().st_size
    quantise(trained, WAYS["pieces"], iter([*zip(pictures, leans, strict=True)] * 6))
    net = Net(trained)
    (after,) = net(pictures, leans=leans)
    assert net.metadata == {"seed": 5}
    assert trained.stat().st_size < size
    assert 0 < np.abs(after - before).mean() < 0.1 * before.std()
    inputs = [torch.from_numpy(pictures).permute(0, 3, 1, 2).float(), torch.from_numpy(leans)]
    further = KindNet(KINDS)
    take_up(further, trained, inputs, range(KINDS))
    with torch.no_grad():
        assert np.abs(further.eval()(*inputs).numpy() - before).mean() < 0.1 * before.std()
