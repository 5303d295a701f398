"""Where a condition can't be decided, the traceback points at what the plain one points at."""

import traceback

import numpy as np

x, y = np.ones(3), np.zeros(3)


def in_if():
    if x > y:
        pass


def in_while():
    while x.sum() and x > y:
        pass


def in_assert():
    assert x > y, "no"


def failing_assert():
    assert x.sum() < 0, "no"


def failing_assert_of_more():
    assert (
        0 < x.sum()
        and -x.sum() > 0
    ), "no"  # fmt: skip


def in_choice():
    return 1 if x > y else 2


def in_not():
    return not x > y


def in_value():
    return x > y and 3


def in_comprehension():
    return [i for i in range(3) if i + 1 and x > y]


def in_filter():
    return [i for i in range(3) if x > y]


def in_match():
    match 3:
        case int() as i if x > y + i:
            pass


def of_unary():
    if -x:
        pass


for function in list(globals().values()):
    if callable(function):
        try:
            function()
        except (ValueError, AssertionError):
            traceback.print_exc()
