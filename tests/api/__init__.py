"""Tests of the interfaces: command line, server, store, reports and corrections."""
