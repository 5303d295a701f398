# expect: 6 memory-limit
# why: np.outer where a sum of products was meant
# raises: MemoryError
import numpy as np
signal = np.zeros(9_000_000)
energy = np.outer(signal, signal).trace()
