# expect: 6 script-error
# why: arrays have no attribute 'lenght'
# raises: AttributeError
import numpy as np
x = np.arange(4)
count = x.size + x.lenght
