"""``python -m bench [NAME..]`` runs the benchmarks of this folder: all, or those named."""

import importlib
import pkgutil
import sys

import bench


def main(names: list[str]) -> None:
    known = [module.name for module in pkgutil.iter_modules(bench.__path__)]
    known.remove("__main__")
    if unknown := set(names) - set(known):
        sys.exit(f"no benchmark named {', '.join(sorted(unknown))}; there are {', '.join(known)}")
    for name in names or known:
        importlib.import_module(f"bench.{name}").main()


if __name__ == "__main__":
    main(sys.argv[1:])
