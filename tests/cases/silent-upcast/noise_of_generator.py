# expect: 10 silent-upcast related 7
# why: rng.normal gives float64.
# check: seen.dtype == np.float64
import numpy as np
rng = np.random.default_rng(0)
image = np.zeros((8, 8), np.float32)
noise = rng.normal(0.0, 0.1, (8, 8))

def noisy(clean, extra):
    result = clean + extra
    return result

seen = noisy(image, noise)
