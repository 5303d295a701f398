# expect: nothing
# why: Nothing was there to be found.
import numpy as np

def setup(table=np.zeros(3)):
    table[0] = 1.0
    return table

only = setup()
