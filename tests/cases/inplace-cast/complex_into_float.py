# expect: 6 inplace-cast
# why: a phase makes the signal complex, and float64 has no room for that
# raises: TypeError
import numpy as np
signal = np.cos(np.linspace(0.0, 6.0, 16))
signal *= np.exp(1j * 0.3)
