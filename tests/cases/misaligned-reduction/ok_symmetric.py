# expect: nothing
# why: in a symmetric table sums of rows are sums of columns
import numpy as np
table = np.random.default_rng(0).random((4, 4))
table = table + table.T
stochastic = table / table.sum(axis=1)
data = np.random.default_rng(1).normal(size=(4, 6))
products = data @ data.T
scaled = products / products.sum(axis=1)
