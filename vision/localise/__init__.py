"""The places of tiles in a photo: dense net, votes for single tiles, the lattice grown over them, and its
refinement."""
