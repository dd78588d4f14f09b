"""What computes: trained nets as ONNX sessions, work on several threads, and linear algebra kept to one."""
