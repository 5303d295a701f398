"""Statements over several lines, each part on one of its own."""

import numpy as np


class Thing:
    t = 1

    def m(self, x):
        return x


# fmt: off
def matched(command):
    match command.split():
        case ["x"]:
            return "y"
        case _:
            return "z"


def called(o):
    return (
        o.
        m(
            0
        )
    )


def looped(x,
           y):
    z = (x +
         y *
         2)
    for i in (
        1,
        2,
        3,
        4,
        5):
        z = max(
            z,
            i)
    return z


def attribute(o):
    (
        o.
        t
    ) += 1


def stored(x):
    x[
        0:
        2
    ] = (x[1:3] *
         2)
    x[
        0] += (
        x[1] +
        3)
    y = [
        v *
        2
        for v in x]
    with open(
        "/dev/null") as f, open(
        "/dev/null") as g:
        f, g
    y = (lambda a:
         a + 1)(
        y[0])
    while y < 5:
        y = (
            y +
            1)
    try:
        y.foo(
            1).bar
    except AttributeError:
        y = 2
    return {"a":
            y,
            "b": [
                y + 1]}


def generated(n):
    for i in range(
            n):
        yield (
            i +
            1)
    return (
        n)


matched("go x")
matched("x")
called(Thing())
looped(1, 2)
attribute(Thing())
print(stored(np.arange(9)))
print(list(
    generated(
        8)))
