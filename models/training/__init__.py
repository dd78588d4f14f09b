"""Networks, the training loop, the training commands, and the tools that turn checkpoints into committed weights."""

from vision import runtime as runtime  # disables ONNX Runtime's telemetry before it is loaded
