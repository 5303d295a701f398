"""Ends with a status of its own, after handlers that run at the end."""
import atexit
import sys

import numpy as np

atexit.register(lambda: print("at exit", np.ones(2).sum()))
print(sys.stdin.read() + "|", file=sys.stderr)
sys.exit(int(np.arange(4).max()))
