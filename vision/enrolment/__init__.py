"""Files of a person's enrolments: prints of tiles, score boards, tokens, and empty boards of printed games."""
