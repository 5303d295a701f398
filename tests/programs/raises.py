"""Ends by an exception from a call in a call, with a cause, a note and an own type."""
import numpy as np


class Unfit(Exception):
    def __str__(self):
        return "unfit: " + ", ".join(map(str, self.args))


def inner(a, b):
    return a + b @ np.ones(3)


def outer(a):
    try:
        return inner(a, a)
    except ValueError as error:
        unfit = Unfit(a.shape, 3)
        unfit.add_note("a note")
        raise unfit from error


for k in range(5):
    value = outer(np.ones((2, 3 if k < 4 else 4)))
