# expect: 6 integer-wraparound
# why: The square of five seconds in nanoseconds needs more than 64 bits.
# check: squares[1] < 5_000_000_000**2
import numpy as np
elapsed = np.array([1_000_000_000, 5_000_000_000])
squares = elapsed * elapsed
spread = np.sqrt(np.abs(squares.mean() - elapsed.mean() ** 2))
