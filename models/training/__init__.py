"""Networks, the training loop, the training commands, and what turns checkpoints into committed weights."""
