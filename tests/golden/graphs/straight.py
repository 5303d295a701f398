import numpy as np
x = np.ones((4, 3)) * 2
w = np.arange(12.0).reshape(3, 4)
y = x @ w.T[:4].T[:3] + 1
x[0] = 5
x += y[:, :3]
q, r = np.linalg.qr(x)
order = np.argsort(r, axis=1)
order.sort()
np.add(q, 1, out=q)
joined = np.concatenate([q, x], axis=0)
