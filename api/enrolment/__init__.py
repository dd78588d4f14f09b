"""Enrolment from a photo or a corrected reading: tiles, score boards, tokens, boards and pieces of printed games; and
the list of all enrolments.
"""
