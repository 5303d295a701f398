# expect: 7 mutated-argument related 11
# why: out=x writes the clipped values over the caller's
# check: clipped_share == 0.0
import numpy as np

def limited(x, top):
    np.clip(x, -top, top, out=x)
    return x

wave = 2.0 * np.sin(np.linspace(0.0, 6.0, 50))
loud = limited(wave, 1.0)
clipped_share = (np.abs(wave) > 1.0).mean()
