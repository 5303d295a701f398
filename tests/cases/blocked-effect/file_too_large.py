# expect: 8 blocked-effect
# why: one file may grow to 64 MB in the sandbox; this one is 100 MB (sparse)
import tempfile
import numpy as np

def reserve(size):
    with tempfile.TemporaryFile() as file:
        file.truncate(size)
        file.write(np.zeros(3).tobytes())

reserve(100 << 20)
