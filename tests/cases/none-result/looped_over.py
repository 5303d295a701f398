# expect: 7 none-result
# why: shuffle() gives None, which can't be looped over
# raises: TypeError
import numpy as np
rng = np.random.default_rng(0)
order = np.arange(4)
for i in rng.shuffle(order):
    print(i)
