"""Tests of the rules, with the worked examples of the rule texts, and of the directions of imports."""
