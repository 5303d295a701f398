"""Which arrays containers and objects hold."""

import gc
import weakref

import numpy as np

from jit_lsp.tracer.within import MOST_LEVELS, MOST_PARTS, arrays_within


def found(value):
    return [array.tolist() for array in arrays_within([value], np.ndarray)]


class Holder:
    def __init__(self, **attributes):
        for name, value in attributes.items():
            setattr(self, name, value)

    def __getattr__(self, name):
        raise AssertionError(f"asked for {name}")

    @property
    def asked(self):
        raise AssertionError("asked")


class Slotted:
    __slots__ = ("weight",)


def test_the_nearest_come_first():
    one, two = np.array([1]), np.array([2])
    slotted = Slotted()
    slotted.weight = two
    assert found([{"deep": [two]}, one]) == [[1], [2]]
    assert found(Holder(inner=Holder(one=one), two=two)) == [[2], [1]]
    assert found((slotted, weakref.ref(one))) == [[2], [1]]
    assert found([one, one, (one,)]) == [[1]]


def test_an_object_gets_no_dictionary():
    holder = Holder(one=np.array([1]))
    assert found(holder) == [[1]]
    assert not any(type(part) is dict for part in gc.get_referents(holder))
    holder.__dict__["two"] = np.array([2])
    assert sorted(found(holder)) == [[1], [2]]


def test_types_functions_and_modules_are_left_alone():
    class Shared:
        weight = np.array([1])

    held = np.array([2])
    assert found([Shared, Shared(), lambda: held, np]) == []


def test_it_ends():
    chain = np.array([1])
    for _ in range(MOST_LEVELS):
        chain = [chain]
    assert found(chain) == [[1]]
    assert found([chain]) == []
    cycle = [np.array([1])]
    cycle.append(cycle)
    assert found(cycle) == [[1]]
    assert len(found([np.array([i]) for i in range(2 * MOST_PARTS)])) == MOST_PARTS
