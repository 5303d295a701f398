# expect: 37 lost-write
"""The heat equation on a square plate: explicit steps in preallocated buffers, two heaters on it.

First the scheme is held against an exact solution, then the heated plate runs until it settles.
"""

import numpy as np

SIZE = 41
H = 1.0 / (SIZE - 1)
DT = 0.2 * H**2  # stable below 0.25 h^2
AMBIENT, HOT, COLD_PIPE = 20.0, 90.0, 5.0

HEATED_ROWS = np.array([10, 11, 12])
HEATED_COLUMNS = np.array([8, 9, 10, 28, 29, 30])


def step(now, after, lap):
    """One explicit Euler step from `now` into `after`; `lap` is scratch for the inner points."""
    inner = now[1:-1, 1:-1]
    np.add(now[:-2, 1:-1], now[2:, 1:-1], out=lap)
    lap += now[1:-1, :-2]
    lap += now[1:-1, 2:]
    lap -= 4.0 * inner
    lap *= DT / H**2
    np.add(inner, lap, out=after[1:-1, 1:-1])


def insulate(plate):
    """No heat flows over the left and right edges."""
    plate[:, 0] = plate[:, 1]
    plate[:, -1] = plate[:, -2]


def hold(plate):
    """What the surroundings keep fixed: the two heaters, the rim and a cold pipe below."""
    plate[HEATED_ROWS][:, HEATED_COLUMNS] = HOT
    plate[0] = plate[-1] = AMBIENT
    pipe = plate[-6]
    pipe[12:29] = COLD_PIPE


def decay_error(steps):
    """Largest error against sin(pi x) sin(pi y) exp(-2 pi^2 t), the slowest mode's exact decay."""
    wave = np.sin(np.pi * np.linspace(0.0, 1.0, SIZE))
    start = wave[:, None] * wave
    now, after = start.copy(), np.zeros_like(start)
    lap = np.empty((SIZE - 2, SIZE - 2))
    for _ in range(steps):
        step(now, after, lap)
        now, after = after, now
    exact = start * np.exp(-2.0 * np.pi**2 * steps * DT)
    exact -= now
    return np.abs(exact, out=exact).max()


def settle(plate, tolerance=1e-3, limit=20_000):
    """Steps until no point changes by more than the tolerance; the plate is updated in place."""
    after = plate.copy()
    lap = np.empty((SIZE - 2, SIZE - 2))
    now = plate
    for steps in range(1, limit + 1):
        step(now, after, lap)
        insulate(after)
        hold(after)
        now, after = after, now
        if steps % 50 == 0 and np.abs(now - after).max() < tolerance:
            break
    plate[...] = now
    return steps


def picture(plate, levels=" .:-=+*#%@", every=4):
    """The plate as text, a character for each few points."""
    coarse = plate[::every, ::every] - AMBIENT
    coarse /= HOT - AMBIENT
    coarse *= len(levels) - 1
    shades = np.clip(coarse, 0, len(levels) - 1).astype(int)
    return "\n".join("".join(levels[i] for i in row) for row in shades)


def main():
    print(f"exact mode after 400 steps: off by {decay_error(400):.1e}")

    plate = np.full((SIZE, SIZE), AMBIENT)
    hold(plate)
    steps = settle(plate)
    flow_y, flow_x = np.gradient(plate, H)
    flow = np.hypot(flow_x, flow_y, out=flow_x)

    print(f"settled after {steps} steps at t = {steps * DT:.3f}")
    print(f"between {plate.min():.1f} and {plate.max():.1f}, mean {plate.mean():.2f}")
    print(f"steepest {flow.max():.0f} per unit length")
    print(picture(plate))


if __name__ == "__main__":
    main()
