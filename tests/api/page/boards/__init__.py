"""Tests of the page for enrolling empty boards."""
