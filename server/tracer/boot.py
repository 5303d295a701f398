"""What the user's interpreter is started with: ``python boot.py EVENTS FAULTS [CONTROL]`` for one
run, ``python boot.py CONTROL`` for a pod.

The arguments are descriptors. Loads the tracer under a private name and takes it out of
``sys.modules`` again before the program runs, so that the program can neither see it nor be kept
from a module of the same name. With a control descriptor, this process stays the launcher and the
program runs in a child of it.
"""

import sys

if sys.version_info < (3, 11):  # noqa: UP036  # the user's interpreter may be any
    version = ".".join(map(str, sys.version_info[:2]))
    sys.exit("Python 3.11 or newer is needed to trace, this is " + version)
del sys.path[0]  # our folder, before anything is imported; the program's own takes its place later

from importlib import import_module  # noqa: E402
from importlib.util import module_from_spec, spec_from_file_location  # noqa: E402
from types import ModuleType  # noqa: E402


def _load(*names: str) -> list[ModuleType]:
    folder, _, _ = __file__.replace("\\", "/").rpartition("/")
    name = "_jit_lsp_tracer"
    spec = spec_from_file_location(
        name, folder + "/__init__.py", submodule_search_locations=[folder]
    )
    assert spec is not None and spec.loader is not None
    package = sys.modules[name] = module_from_spec(spec)
    spec.loader.exec_module(package)
    wanted = [import_module(f"{name}.{module}") for module in names]
    for loaded in [m for m in sys.modules if m.partition(".")[0] == name]:
        del sys.modules[loaded]
    return wanted


if __name__ == "__main__":
    events, *others = map(int, sys.argv[1:])
    if others:
        worker, launcher = _load("worker", "launcher")
        faults, *control = others
        request = worker.receive(events)
        sandbox = launcher.launch(control[0], (events, faults), request) if control else None
        worker.main(events, faults, request, sandbox)
    else:
        runner, pod = _load("runner", "pod")
        runner.main(pod.serve(events))
