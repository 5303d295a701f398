# expect: nothing
# why: The wide result is there for a moment only.
import numpy as np
image = np.zeros((8, 8), np.float32)
noise = np.random.default_rng(0).normal(size=(8, 8))
noisy = (image + noise).astype(np.float32)
kept = np.empty((8, 8), np.float32)
kept[:] = image + noise
