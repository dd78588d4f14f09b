"""Measurements beyond `wondertally evaluate`: rephotographed tables, single conditions, score tracks, labelling and the
yardstick."""
