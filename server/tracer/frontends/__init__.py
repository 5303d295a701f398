"""What is known of each array library: one module a library, tried when an import may have loaded
it."""

from __future__ import annotations

from . import numpy, pickling, torch

ALL = (numpy.activate, torch.activate, pickling.activate)
"""Each takes the recorder and says whether its library was there and is now recorded."""
