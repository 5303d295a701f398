# expect: 33 mutated-argument related 69
"""Principal components of synthetic images: compress a set of spots to a few numbers each.

The images differ in where a spot is, how wide it is and how bright; the frame around them is dark.
"""

import numpy as np

COUNT, SIZE, FRAME, KEPT = 300, 24, 2, 20


def spots(rng):
    """Images (COUNT, SIZE, SIZE) in [0, 1] of one soft spot each, with sensor noise."""
    axis = np.linspace(-1.0, 1.0, SIZE)
    centre_x, centre_y = rng.uniform(-0.4, 0.4, (2, COUNT))
    width = rng.uniform(0.2, 0.35, COUNT)
    across = np.exp(-(((axis - centre_x[:, None]) / width[:, None]) ** 2))
    down = np.exp(-(((axis - centre_y[:, None]) / width[:, None]) ** 2))
    images = down[:, :, None] * across[:, None, :]
    images *= rng.uniform(0.6, 1.0, COUNT)[:, None, None]
    images += rng.normal(0.0, 0.02, images.shape)
    np.clip(images, 0.0, 1.0, out=images)

    frame = np.ones((SIZE, SIZE), dtype=bool)
    frame[FRAME:-FRAME, FRAME:-FRAME] = False
    images[:, frame] = 0.0
    return images


def centre(x):
    """The rows of x without their mean, and the mean; x itself stays as it was."""
    mean = x.mean(axis=0)
    x -= mean
    return x, mean


def components(centred, kept):
    """The first right singular vectors, and the share of the variance that each explains."""
    _, singular, rows = np.linalg.svd(centred, full_matrices=False)
    share = singular**2
    share /= share.sum()
    basis = rows[:kept]
    peaks = np.abs(basis).argmax(axis=1)
    basis *= np.sign(basis[np.arange(kept), peaks])[:, None]  # fixes the signs svd leaves open
    return basis, share[:kept]


def decode(codes, basis, mean):
    """The images that the codes stand for, built up in one buffer."""
    pixels = np.empty((len(codes), len(mean)))
    np.matmul(codes, basis, out=pixels)
    pixels += mean
    return np.clip(pixels, 0.0, 1.0, out=pixels)


def rms(x, axis=None):
    return np.sqrt((x**2).mean(axis=axis))


def main():
    rng = np.random.default_rng(5)
    images = spots(rng)
    flat = images.reshape(COUNT, -1)  # a view: one row of pixels an image

    with np.errstate(invalid="ignore"):  # 0 / 0 in the dark frame
        contrast = flat.std(axis=0) / flat.mean(axis=0)
    most = np.unravel_index(np.nanargmax(contrast), images.shape[1:])

    centred, mean = centre(flat)
    basis, share = components(centred, KEPT)
    codes = centred @ basis.T
    restored = decode(codes, basis, mean)

    off = flat - restored
    per_image = rms(off, axis=1)

    print(f"{np.isnan(contrast).sum()} dark pixels; most contrast at {most[0]}, {most[1]}")
    print(f"{images.nbytes // 1024} kB of pixels as {(codes.nbytes + basis.nbytes) // 1024} kB")
    print(f"{KEPT} components explain {share.sum():.1%}, the first three {share[:3].sum():.1%}")
    print(f"error {rms(off):.4f}, worst image {per_image.max():.4f}")
    print(f"neighbours in code space: {np.round(np.sort(neighbour(codes))[:3], 2)}")


def neighbour(codes):
    """Distance from each image to the nearest other one, over the Gram matrix."""
    gram = codes @ codes.T
    square = gram.diagonal()
    table = square[:, None] + square
    table -= 2.0 * gram
    np.fill_diagonal(table, np.inf)
    return np.sqrt(table.min(axis=1))


if __name__ == "__main__":
    main()
