"""Loops and functions that run long enough for their plain bodies, and change under way."""
import numpy as np

w = np.zeros(4)
log = []
for i in range(3000):
    step = np.sin(np.arange(4.0) + i)
    w += 0.01 * step
    if i % 700 == 5:
        log.append(w.copy())
        continue
    if i == 2900:
        break
else:
    print("not reached")
print(np.round(w, 6).tolist(), len(log))

total = np.zeros(1)
n = 0
while total.sum() < 500:
    n += 1
    total = total + np.ones(1) * (n % 3)
    if n % 100 == 0:
        total = np.concatenate([total, np.zeros(1)])
print(n, total.shape, total.sum())


def fib(k):
    return k if k < 2 else fib(k - 1) + fib(k - 2)


print(fib(16))


def nested(a):
    out = []
    for row in a:
        for item in row:
            out.append(float(item * 2))
            for _ in range(2):
                item = item + row.sum()
    return sum(out)


for _ in range(5):
    print(nested(np.arange(12.0).reshape(3, 4)))


def generate():
    for k in range(2000):
        yield np.full(2, k) + 1


print(sum(g.sum() for g in generate()))
state = {"x": np.ones(3)}
for _ in range(500):
    state["x"] = state["x"] * 1.001
    state["x"][0] = 1.0
print(np.round(state["x"], 6).tolist())
