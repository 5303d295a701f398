# expect: nothing
# why: functions that are there to be run, for whoever looks at what happens
import numpy as np


def operations(values):
    def cast():
        values.astype(np.int8)

    def scale():
        np.multiply(values, 2)

    return [cast, scale]


def test_nothing_is_raised():
    def run(values):
        np.add(values, 1)

    run(np.arange(3))


for operation in operations(np.array([1.0, 300.0])):
    operation()
test_nothing_is_raised()
