# expect: 6 lost-write
# why: z[mask] is a copy; z.real[mask] = 0 would write
# check: z[0] == 1 + 1j
import numpy as np
z = np.array([1 + 1j, -2 + 0.5j])
z[z.imag > 0.6].real = 0.0
