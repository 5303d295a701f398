# expect: 7 aliased-name related 6
# why: The copy that was meant is a second name, and the input changes too.
# check: moved == 0.0
import numpy as np
signal = np.array([3.0, 1.0, 2.0])
ranked = signal
ranked.sort()
moved = np.abs(signal - ranked).max()
