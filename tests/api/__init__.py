"""Tests of the front doors: command line, server, store, reports and corrections."""
