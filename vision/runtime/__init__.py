"""The runtime: trained nets as ONNX sessions, work on several threads, and single-threaded linear algebra."""

import os

# Otherwise ONNX Runtime assigns this machine an identifier and reports its use to the vendor.
os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
