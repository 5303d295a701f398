"""Plain Python without any library: classes, strings, recursion, exceptions."""
import collections
import dataclasses
import itertools


@dataclasses.dataclass(order=True)
class Point:
    x: float
    y: float = 0.0

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def __iadd__(self, other):
        self.x += other.x
        return self

    def __getitem__(self, key):
        return (self.x, self.y)[key]

    def __contains__(self, item):
        return item in (self.x, self.y)

    def __bool__(self):
        print("asked")
        return True

    def __eq__(self, other):
        return NotImplemented


points = [Point(i, -i) for i in range(5)]
total = Point(0)
for p in points:
    total = total + p
    total += p
print(total, total[0], 3 in total, not total, total == 3, total != total)
print(sum(points, start=Point(1)) if total else None)
words = "a b c a b a".split()
print(collections.Counter(words).most_common(), "".join(w * 2 for w in words), "%s-%s" % ("x", 1))
print(list(itertools.accumulate(range(10), lambda a, b: a * 2 + b)), {**{"a": 1}, "b": [*words]})


class Meta(type):
    def __new__(mcs, name, bases, namespace):
        print(name, sorted(k for k in namespace if not k.startswith("__")))
        return super().__new__(mcs, name, bases, namespace)


class Made(metaclass=Meta):
    a = 1
    b = a + 1
    c = [a for _ in range(2)]

    class Inner:
        d = 2 * 3


def hanoi(n, a="A", b="B", c="C"):
    return [] if n == 0 else hanoi(n - 1, a, c, b) + [(a, c)] + hanoi(n - 1, b, a, c)


print(len(hanoi(8)), hanoi(2))
try:
    [][3]
except IndexError as e:
    print(repr(e), e.__traceback__.tb_lineno)
print((lambda *a, **k: (a, k))(1, *[2], z=3, **{"y": 4}))
