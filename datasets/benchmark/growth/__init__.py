"""What a reading costs by stage as boards grow: processor time and memory, from drawn tables of several boxes."""
