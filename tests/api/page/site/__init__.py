"""Tests of the site around a reading: its addresses, what is installed, what is sent and fetched."""
