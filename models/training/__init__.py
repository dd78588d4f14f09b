"""Networks, the training loop, the training commands, and the tools that turn checkpoints into committed weights."""

from vision import runtime as runtime  # it sees to it that ONNX Runtime, wherever it is loaded, tells nobody
