"""What a person enrolled, as files: prints of tiles, score boards, tokens, and empty boards of printed games."""
