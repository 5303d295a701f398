"""The program ``jit-lsp``. An editor's server begins here without the rest of the command line,
which takes longer to load than the first answer takes."""

from __future__ import annotations

import sys


def main() -> int:
    """As :func:`jit_lsp.cli.main`."""
    if sys.argv[1:] == ["--stdio"]:
        from .lsp import serve_stdio

        serve_stdio()
        return 0
    from .cli import main

    return main()


if __name__ == "__main__":
    raise SystemExit(main())
