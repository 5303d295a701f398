"""jit-lsp: runs array programs on save and shows what every value was.

ARCHITECTURE.md is the map of this package. Nothing is imported here, so that the part that runs in
the user's interpreter costs and needs nothing else.
"""

__version__ = "0.1.0"
