"""What is installed is what is in the tree."""

import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def test_the_wheel_holds_the_tree(tmp_path):
    source = tmp_path / "source"  # a build in the tree would leave its files there
    source.mkdir()
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    shutil.copytree(
        ROOT / "server", source / "server", ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    command = [sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "--no-build-isolation"]
    subprocess.run([*command, "-w", str(tmp_path), str(source)], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as archive:
        packed = {
            name.removeprefix("jit_lsp/"): archive.read(name)
            for name in archive.namelist()
            if name.startswith("jit_lsp/") and not name.endswith((".so", ".pyd"))
        }
    tree = {
        str(file.relative_to(source / "server")): file.read_bytes()
        for file in (source / "server").rglob("*")
        if file.suffix in {".py", ".pyi", ".c"} or file.name == "py.typed"
    }
    assert packed == tree


@pytest.mark.parametrize("module", ["jit_lsp.doc", "jit_lsp.ir", "jit_lsp.session"])
def test_all_is_true(module):
    import importlib

    loaded = importlib.import_module(module)
    assert sorted(set(loaded.__all__)) == sorted(loaded.__all__)
    assert all(hasattr(loaded, name) for name in loaded.__all__)


def test_nothing_in_the_tree_knows_this_machine():
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in filter(None, listed.stdout.split("\0")):
        file = ROOT / name
        if file.is_file():
            assert str(ROOT).encode() not in file.read_bytes(), name
