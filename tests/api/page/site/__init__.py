"""Tests of the site around a reading: its addresses, installation, and requests."""
