"""Tests of `vision.board.legal`."""
