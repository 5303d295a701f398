# expect: 7 blocked-effect
# why: a mapped array of 100 MB; NumPy makes the file that large first
import tempfile
import numpy as np

with tempfile.NamedTemporaryFile() as file:
    table = np.memmap(file.name, np.float64, "w+", shape=(100, 1 << 17))
    table[0] = 1.0
