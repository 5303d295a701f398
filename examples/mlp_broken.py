# expect: 43 shape-mismatch related 35
"""A two-layer perceptron with hand-written backprop, trained on three interleaved spirals.

All weights live in one flat vector, so that the optimiser is three lines; the layers are views.
"""

import numpy as np

INPUTS, HIDDEN, CLASSES = 2, 64, 3
STEPS, BATCH, RATE, MOMENTUM = 400, 64, 0.2, 0.9
rng = np.random.default_rng(7)


def spirals(per_class):
    """Points on CLASSES noisy spiral arms, standardised, and the arm each belongs to."""
    radius = np.linspace(0.1, 1.0, per_class)
    x = np.empty((CLASSES * per_class, INPUTS))
    for arm in range(CLASSES):
        angle = 4.0 * radius + arm * 2.0 * np.pi / CLASSES + rng.normal(0.0, 0.35, per_class)
        rows = slice(arm * per_class, (arm + 1) * per_class)
        x[rows, 0] = radius * np.cos(angle)
        x[rows, 1] = radius * np.sin(angle)
    x -= x.mean(axis=0)
    x /= x.std(axis=0)
    return x, np.repeat(np.arange(CLASSES), per_class)


def unpack(theta):
    """The layers' weights and biases: views into the flat vector, never copies."""
    end1 = INPUTS * HIDDEN
    end2 = end1 + HIDDEN
    end3 = end2 + HIDDEN * CLASSES
    w1 = theta[:end1].reshape(INPUTS, HIDDEN)
    b1 = theta[end1:end2]
    w2 = theta[end2:end3].reshape(CLASSES, HIDDEN)
    b2 = theta[end3:]
    return w1, b1, w2, b2


def forward(theta, x):
    w1, b1, w2, b2 = unpack(theta)
    hidden = np.maximum(x @ w1 + b1, 0.0)
    logits = hidden @ w2 + b2
    logits -= logits.max(axis=1, keepdims=True)
    probs = np.exp(logits)
    probs /= probs.sum(axis=1, keepdims=True)
    return hidden, probs


def loss_and_gradient(theta, x, labels, grad):
    """Mean cross-entropy of the batch; its gradient goes into the buffer `grad`."""
    hidden, probs = forward(theta, x)
    rows = np.arange(len(labels))
    loss = -np.log(probs[rows, labels]).mean()

    w2 = unpack(theta)[2]
    g_w1, g_b1, g_w2, g_b2 = unpack(grad)
    delta = probs
    delta[rows, labels] -= 1.0
    delta /= len(labels)
    np.matmul(hidden.T, delta, out=g_w2)
    delta.sum(axis=0, out=g_b2)
    back = delta @ w2.T
    back[hidden <= 0.0] = 0.0
    np.matmul(x.T, back, out=g_w1)
    back.sum(axis=0, out=g_b1)
    return loss


def slope(theta, x, labels, index, step=1e-6):
    """Central difference of the loss along one weight, which is put back afterwards."""
    scratch = np.empty_like(theta)
    kept = theta[index]
    theta[index] = kept + step
    above = loss_and_gradient(theta, x, labels, scratch)
    theta[index] = kept - step
    below = loss_and_gradient(theta, x, labels, scratch)
    theta[index] = kept
    return (above - below) / (2.0 * step)


x, labels = spirals(per_class=120)
theta = rng.normal(0.0, 0.5, INPUTS * HIDDEN + HIDDEN + HIDDEN * CLASSES + CLASSES)
grad = np.empty_like(theta)
velocity = np.zeros_like(theta)

loss_and_gradient(theta, x, labels, grad)
probes = rng.choice(theta.size, 20, replace=False)
numeric = np.array([slope(theta, x, labels, i) for i in probes])
print(f"gradient check: off by {np.abs(numeric - grad[probes]).max():.0e} at most")

order = np.arange(len(x))
for step in range(STEPS):
    rng.shuffle(order)
    batch = order[:BATCH]
    loss = loss_and_gradient(theta, x[batch], labels[batch], grad)
    velocity *= MOMENTUM
    velocity -= RATE * grad
    theta += velocity
    if step % 100 == 0:
        print(f"step {step:3d}  loss {loss:.4f}")

_, probs = forward(theta, x)
right = probs.argmax(axis=1) == labels
print(f"accuracy {right.mean():.3f}, worst arm {right.reshape(CLASSES, -1).mean(axis=1).min():.3f}")
