"""Passes: each module changes graphs in one way. The manager finds them by walking the package."""
