"""When arrays die, how many references they have, and what refuses weak references."""
import gc
import sys
import weakref

import numpy as np

gc.disable()
died = []


def watch(array, name):
    weakref.finalize(array, died.append, name)
    return array


a = watch(np.ones(3), "a")
b = watch(a + 1, "b")
(watch(a * 2, "temporary") + b).sum()
print(died)
a = b
print(died, sys.getrefcount(b))
del a, b
print(died)


def inside():
    local = watch(np.ones(4), "local")
    other = watch(local[1:] * 2, "other")
    return other.sum()


print(inside(), died)
for i in range(50):
    kept = watch(np.full(2, i) * 1.0, i)
print(died[-1], len(died))

grown = np.arange(3)
grown = grown + 0
grown.resize(5)
print(grown)
grown.resize((2, 3))
print(grown)
print(np.array([1.0, 2.0, 3.0]).sum(), grown.sum())
other = np.array([[0, 1], [2, 3]])
other.resize((2, 1))
print(other)
before = sys.getsizeof(other)
str((other, [other]))
other.resize((40, 2))
print(before < sys.getsizeof(other), max(other.sum(), len(other)))
str(other)
other.resize((3, 3))
held = [np.zeros(2) for _ in range(3)]
held[0][0] = 1
print([sys.getrefcount(h) for h in held])
