"""Passes: each module changes a graph in one way. The manager finds them by walking this package."""
