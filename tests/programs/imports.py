"""Imports modules of its project, reloads one, and lets one fail."""
import importlib
import sys
import traceback

import helpers
import numpy as np
from helpers import arrays
from helpers.arrays import Holder

print(helpers.scaled(np.arange(3.0)).tolist(), [r.sum() for r in Holder().rows()])
importlib.reload(arrays)
print(arrays.scaled(np.arange(3.0)) is not None, arrays.ONES is helpers.ONES)
try:
    arrays.fails(np.ones((2, 3)))
except ValueError:
    print([(f.name, f.lineno, f.line) for f in traceback.extract_tb(sys.exc_info()[2])])
try:
    import helpers.nothing
except ImportError as error:
    print(error)
print(sorted(m for m in sys.modules if m.startswith("numpy.random")))  # by np.random alone
print([type(f).__name__ if not isinstance(f, type) else f.__name__ for f in sys.meta_path])
arrays.fails(np.ones((2, 3)))
