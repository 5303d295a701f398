# expect: nothing
# why: one step of training changes the weights, which is what it is for, and gives the loss
import numpy as np

def step(weights, x, y):
    error = x @ weights - y
    weights -= 0.1 * x.T @ error
    return (error ** 2).mean()
weights = np.zeros(2)
x = np.array([[1.0, 2.0], [3.0, 4.0]])
loss = step(weights, x, np.array([1.0, 2.0]))
norm = np.abs(weights).max()
