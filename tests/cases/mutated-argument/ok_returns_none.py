# expect: nothing
# why: a function that returns nothing exists for its effect
import numpy as np

def apply_gravity(velocity, dt):
    velocity[:, 1] -= 9.81 * dt

def advance(position, velocity, dt):
    position += velocity * dt

position = np.zeros((3, 2))
velocity = np.ones((3, 2))
for _ in range(5):
    apply_gravity(velocity, 0.01)
    advance(position, velocity, 0.01)
height = position[:, 1].max()
