# expect: nothing
# why: Nothing here is float32 by intent.
import numpy as np
x = np.linspace(0.0, 1.0, 50)
y = x + np.random.default_rng(0).normal(size=50)
z = y * np.ones(50)
