# expect: nothing
# why: The flag is taken away for a while only.
import numpy as np
table = np.linspace(0.0, 1.0, 5)
table.flags.writeable = False
total = table.sum()
table.flags.writeable = True
table[0] = total
