# expect: nothing
# why: the weights are updated in place; the returned velocity is made from the gradient, not from them
import numpy as np

def momentum_step(weights, gradient, velocity):
    velocity = 0.9 * velocity - 0.1 * gradient
    weights += velocity
    return velocity

weights = np.array([1.0, -1.0])
velocity = np.zeros(2)
for _ in range(10):
    velocity = momentum_step(weights, 2.0 * weights, velocity)
size = np.abs(weights).max()
