"""Cost of a reading by stage as boards grow: CPU time and memory, from drawn tables of several boxes."""
