# expect: nothing
# why: temporary files can be written wherever it runs
import tempfile
from pathlib import Path
import numpy as np
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder) / "weights.npy"
    np.save(path, np.arange(6.0).reshape(2, 3))
    path = path.rename(path.with_name("best.npy"))
    weights = np.load(path)
    np.savez_compressed(Path(folder) / "all.npz", weights=weights)
assert weights.sum() == 15.0
