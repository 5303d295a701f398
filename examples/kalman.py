# expect: nothing
"""A Kalman filter and smoother for one vehicle's position, measured with noise and gaps.

A missed measurement is NaN, as it would come from a log file; the filter coasts over it.
"""

import numpy as np

COUNT, DT = 400, 0.1
NOISE, JERK = 1.5, 0.6  # standard deviation of a measurement; of the acceleration's change
rng = np.random.default_rng(21)

F = np.array([[1.0, DT, DT**2 / 2], [0.0, 1.0, DT], [0.0, 0.0, 1.0]])
H = np.array([[1.0, 0.0, 0.0]])
PUSH = np.array([DT**3 / 6, DT**2 / 2, DT])
Q = JERK**2 * PUSH[:, None] * PUSH
R = NOISE**2


def drive():
    """True states (COUNT, 3) of position, velocity and acceleration, and what was measured."""
    truth = np.empty((COUNT, 3))
    truth[0] = 0.0, 4.0, 0.0
    for i in range(1, COUNT):
        truth[i] = F @ truth[i - 1]
        truth[i] += PUSH * rng.normal(0.0, JERK)
    z = truth[:, 0] + rng.normal(0.0, NOISE, COUNT)
    z[rng.random(COUNT) < 0.1] = np.nan
    z[150:170] = np.nan  # a tunnel
    return truth, z


def filtered(z):
    """States and covariances after each measurement, and as predicted before it."""
    n = len(F)
    before, after = np.empty((2, len(z), n))
    cov_before, cov_after = np.empty((2, len(z), n, n))
    x = np.array([np.nanmean(z[:5]), 0.0, 0.0])
    cov = np.diag([R, 25.0, 4.0])
    for i, measured in enumerate(z):
        if i > 0:
            x = F @ x
            cov = F @ cov @ F.T + Q
        before[i], cov_before[i] = x, cov
        if not np.isnan(measured):
            gain = cov @ H[0] / (H[0] @ cov @ H[0] + R)
            x += gain * (measured - H[0] @ x)
            cov -= gain[:, None] * (H[0] @ cov)
        after[i], cov_after[i] = x, cov
    return before, cov_before, after, cov_after


def smoothed(before, cov_before, after, cov_after):
    """Rauch-Tung-Striebel: states and variances given all measurements, past and future."""
    states = after.copy()
    covs = cov_after.copy()
    for i in range(len(states) - 2, -1, -1):
        back = np.linalg.solve(cov_before[i + 1], F @ cov_after[i]).T
        states[i] += back @ (states[i + 1] - before[i + 1])
        covs[i] += back @ (covs[i + 1] - cov_before[i + 1]) @ back.T
    return states, covs.diagonal(axis1=1, axis2=2)


def rms(x):
    """Root mean square over what is there."""
    return np.sqrt(np.nanmean(x**2))


def longest_gap(z):
    """Length of the longest run of missed measurements."""
    seen = np.flatnonzero(~np.isnan(z))
    return np.diff(seen).max() - 1


truth, z = drive()
before, cov_before, after, cov_after = filtered(z)
states, variances = smoothed(before, cov_before, after, cov_after)

predicted = before @ H.T
innovation = z - predicted[:, 0]
expected = cov_before[:, 0, 0] + R
consistency = np.nanmean(innovation**2 / expected)

names = ["position", "velocity", "acceleration"]
errors = np.abs(states - truth)
inside = (errors < 2.0 * np.sqrt(variances)).mean(axis=0)

print(f"{np.isnan(z).sum()} of {COUNT} missed, {longest_gap(z)} in a row at most")
print(f"innovation {rms(innovation):.3f}, normalised square {consistency:.3f}")
print(
    f"position: measured {rms(z - truth[:, 0]):.3f}, filtered {rms(after[:, 0] - truth[:, 0]):.3f}"
)
for name, error, share in zip(names, errors.T, inside, strict=True):
    print(f"smoothed {name}: error {rms(error):.3f}, within two sigma {share:.0%}")
