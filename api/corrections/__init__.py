"""Corrections of a reading as data, the report they give, and the questions to ask a person."""
