"""Who may import whom; what runs in the user's interpreter needs the standard library alone."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SERVER = Path(__file__).parents[2] / "server"

# Layer → the layers that it may import from. Root files may import from all.
LAYERS = {
    "doc": {"doc"},
    "ir": {"ir", "doc"},
    "export": {"export", "ir", "doc"},
    "tracer": {"tracer", "ir", "doc"},
    "diagnostics": {"diagnostics", "tracer", "ir", "doc"},
    "lsp": {"lsp", "", "diagnostics", "tracer", "ir", "doc"},
}
IN_SERVER = {
    "trace", "decode", "dimensions", "lift", "operations", "sequences", "tensors", "layers",
    "stages", "unrecorded", "counterparts", "replay", "inside", "numbering",
}  # fmt: skip
"""What of ``tracer`` runs in the server; all other modules run in the user's interpreter."""
FOREIGN = {"pygls", "lsprotocol", "numpy", "prettyprinter", "wcwidth", "cattrs", "attr", "attrs"}


def imports(file: Path) -> list[tuple[str, int]]:
    """(module, level) of every import in a file, ``from . import x`` as ``x``."""
    found = []
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [(alias.name, 0) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            names = [node.module] if node.module else [alias.name for alias in node.names]
            found += [(name, node.level) for name in names]
    return found


def layer_of(file: Path) -> str:
    parts = file.relative_to(SERVER).parts
    return parts[0] if len(parts) > 1 else ""


def target_layer(file: Path, module: str, level: int) -> str | None:
    """The layer that a relative import leads to; None for an absolute import."""
    if level == 0:
        return module.split(".")[1] if module.startswith("jit_lsp.") else None
    package = list(file.relative_to(SERVER).parts[:-1])
    base = package[: len(package) - (level - 1)]
    path = [*base, *module.split(".")]
    return path[0] if len(path) > 1 or (SERVER / path[0]).is_dir() else ""


SOURCES = sorted(SERVER.rglob("*.py"))


@pytest.mark.parametrize("file", SOURCES, ids=lambda f: str(f.relative_to(SERVER)))
def test_a_file_imports_from_its_own_layer_and_those_below(file):
    layer = layer_of(file)
    if not layer:
        return
    for module, level in imports(file):
        target = target_layer(file, module, level)
        assert target is None or target in LAYERS[layer], f"{file.name} imports {module}"


def test_one_package_knows_the_protocol():
    knowing = {
        layer_of(file)
        for file in SOURCES
        for module, _ in imports(file)
        if module.split(".")[0] in ("pygls", "lsprotocol")
    }
    assert knowing == {"lsp"}


def test_the_command_line_alone_starts_the_server():
    starting = {
        file.name
        for file in SOURCES
        for module, level in imports(file)
        if layer_of(file) != "lsp" and target_layer(file, module, level) == "lsp"
    }
    assert starting == {"__main__.py", "cli.py"}


def test_the_worker_never_imports_the_server():
    for file in (SERVER / "tracer").rglob("*.py"):
        if file.stem in IN_SERVER or file.parent.name in IN_SERVER:
            continue
        for module, level in imports(file):
            target = target_layer(file, module, level)
            assert target in (None, "tracer"), f"{file.name} imports {module}"
            assert module.split(".")[-1] not in IN_SERVER, f"{file.name} imports {module}"
            assert module.split(".")[0] not in FOREIGN or level, f"{file.name} imports {module}"


BARE = """
import sys
class Foreign:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {foreign!r}:
            raise ImportError("foreign: " + name)
sys.meta_path.insert(0, Foreign())
sys.path.insert(0, {folder!r})
{extra}
import runpy
boot = runpy.run_path({boot!r}, run_name="boot")
worker, launcher, pod = boot["_load"]("worker", "launcher", "pod")
mine = [name for name in sys.modules if "jit_lsp" in name]
assert not mine, mine
print(worker.main.__name__, launcher.launch.__name__, pod.serve.__name__)
"""


def load_bare(extra: str = "") -> subprocess.CompletedProcess[str]:
    boot = str(SERVER / "tracer" / "boot.py")
    script = BARE.format(foreign=sorted(FOREIGN), folder="", boot=boot, extra=extra)
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", script], capture_output=True, text=True, timeout=60
    )


def test_the_worker_loads_in_a_bare_interpreter_and_leaves_no_name():
    ran = load_bare()
    assert ran.stdout == "main launch serve\n", ran.stderr


def test_that_test_can_fail():
    ran = load_bare(extra="import pygls")
    assert ran.returncode == 1
    assert "foreign: pygls" in ran.stderr


def test_a_check_loads_nothing_that_only_graphs_need() -> None:
    program = (
        "import sys, jit_lsp.commands\n"
        "print(sorted({'numpy', 'jit_lsp.tracing', 'jit_lsp.export'} & {*sys.modules}))"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)
    assert ran.stdout == "[]\n"
