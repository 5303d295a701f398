# expect: nothing
# why: sys.exit(0) is a normal end
import sys
import numpy as np

def main():
    total = np.arange(4).sum()
    return 0 if total == 6 else 1

if __name__ == "__main__":
    sys.exit(main())
