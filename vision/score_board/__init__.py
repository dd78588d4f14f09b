"""The places of score boards in a photo: the first edition's, and enrolled ones."""
