# expect: nothing
"""k-means on blobs with an outlier, from random centres, and how good the clusters are.

A point alone in its cluster has no silhouette: 0 / 0 on purpose, left out of the mean.
"""

import numpy as np

K = 6


def blobs(rng):
    """Five round groups of points and one outlier far away from all."""
    middles = np.array([[0.0, 0.0], [4.0, 0.5], [1.0, 5.0], [6.0, 5.0], [-3.0, 3.0]])
    points = middles[:, None] + rng.normal(0.0, 0.6, (len(middles), 60, 2))
    return np.concatenate([points.reshape(-1, 2), [[14.0, -6.0]]])


def squared_distances(points, centres):
    """|p - c|^2 for each pair as |p|^2 - 2 p.c + |c|^2, which needs no (n, k, d) table."""
    table = (points**2).sum(axis=1)[:, None] + (centres**2).sum(axis=1)
    table -= 2.0 * points @ centres.T
    return np.maximum(table, 0.0, out=table)  # rounding can leave -1e-16


def update(points, labels, distances):
    """Each cluster's mean; one that nobody chose restarts at a point served badly."""
    sums = np.zeros((K, points.shape[1]))
    np.add.at(sums, labels, points)
    counts = np.bincount(labels, minlength=K)[:, None]
    centres = points[distances.min(axis=1).argsort()[-K:]]
    return np.divide(sums, counts, out=centres, where=counts > 0)


def kmeans(points, rng, rounds=100):
    """Lloyd's iteration from centres drawn evenly over the bounding box."""
    centres = rng.uniform(points.min(axis=0), points.max(axis=0), (K, points.shape[1]))
    inertia = []
    for _ in range(rounds):
        distances = squared_distances(points, centres)
        labels = distances.argmin(axis=1)
        inertia.append(distances.min(axis=1).sum())
        moved = update(points, labels, distances)
        shift = np.abs(moved - centres).max()
        centres = moved
        if shift < 1e-9:
            break
    return centres, labels, inertia


def silhouettes(points, labels):
    """(b - a) / max(a, b) for each point; NaN for a point that is alone in its cluster."""
    steps = points[:, None] - points
    apart = np.sqrt(np.einsum("ijk,ijk->ij", steps, steps))
    member = labels[:, None] == np.arange(K)
    counts = member.sum(axis=0)
    totals = apart @ member
    rows = np.arange(len(points))
    with np.errstate(invalid="ignore"):
        own = totals[rows, labels] / (counts[labels] - 1)
    totals /= counts
    totals[rows, labels] = np.inf
    nearest = totals.min(axis=1)
    return (nearest - own) / np.maximum(own, nearest)


def main():
    rng = np.random.default_rng(11)
    points = blobs(rng)
    points -= points.mean(axis=0)

    centres, labels, inertia = kmeans(points, rng)
    scores = silhouettes(points, labels)
    spread = np.full(K, np.nan)
    for k in range(K):
        mine = points[labels == k]
        if len(mine) > 1:
            spread[k] = np.sqrt(((mine - centres[k]) ** 2).sum(axis=1).mean())

    print(f"{len(inertia)} rounds, inertia {inertia[0]:.1f} down to {inertia[-1]:.1f}")
    print(f"sizes {np.sort(np.bincount(labels))}")
    print(f"silhouette {np.nanmean(scores):.3f}, {np.isnan(scores).sum()} points alone")
    print(f"spread between {np.nanmin(spread):.3f} and {np.nanmax(spread):.3f}")


if __name__ == "__main__":
    main()
