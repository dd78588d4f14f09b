"""What computes: trained nets as ONNX sessions, work on several threads, and linear algebra kept to one."""

import os

# Otherwise ONNX Runtime gives this machine a number of its own and tells its makers what is computed on it.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
