# expect: nothing
# why: reading is free, except for secrets
import json
import sys
from pathlib import Path
import numpy as np
lines = Path(json.__file__).read_text().count("\n")
size = np.float64(lines) / max(Path(sys.executable).stat().st_size, 1)
