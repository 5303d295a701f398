# expect: nothing
# why: StopIteration and GeneratorExit are how loops end
import numpy as np

def chunks(x, size):
    try:
        for start in range(0, len(x), size):
            yield x[start : start + size]
    finally:
        closed.append(True)

closed = []
first = next(chunks(np.arange(10), 4))
sums = [int(chunk.sum()) for chunk in chunks(np.arange(10), 4)]
rest = next(iter([]), None)
