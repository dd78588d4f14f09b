"""Tests of `vision.board.wonders`."""
