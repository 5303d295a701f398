# expect: 8 lost-write
# why: the shuffle happens in a copy of the selected rows
# check: (samples == before).all()
import numpy as np
rng = np.random.default_rng(5)

def mix(samples, train):
    rng.shuffle(samples[train])
    return samples

samples = np.arange(10)
before = samples.copy()
mixed = mix(samples, np.arange(8))
