"""The most probable legal board: touching edges agree and no tile is used more often than the box holds. An exact
optimisation, with CP-SAT for hard cases."""
