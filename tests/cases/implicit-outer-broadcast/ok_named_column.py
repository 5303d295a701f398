# expect: nothing
# why: the name is bound to an expression that ends in [:, None]
import numpy as np
times = np.linspace(0.0, 1.0, 8)[:, np.newaxis]
rates = np.arange(1.0, 9.0)
waves = np.sin(2.0 * np.pi * times * rates)
