"""Exported models beside ``torch.onnx``'s of the same networks: nodes, and bytes of the file.

``torch.onnx`` has two exporters; the newer one is left out where onnxscript isn't installed. Every
model is run, and has to agree with its network.
"""

from __future__ import annotations

import contextlib
import importlib.util
import io
import runpy
import subprocess
import sys
import tempfile
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

PROGRAMS = Path(__file__).parents[1] / "tests" / "unit" / "export" / "programs"
NETWORKS = ("network", "images", "sequences", "cells", "attention", "heads", "volumes")


def main() -> None:
    if importlib.util.find_spec("torch") is None:
        print("torch is not installed")
        return
    newer = importlib.util.find_spec("onnxscript") is not None
    print(f"{'nodes, bytes':12} {'ours':>14} {'torchscript':>16} {'dynamo':>16}")
    for name in NETWORKS:
        program = PROGRAMS / f"{name}.py"
        with warnings.catch_warnings(), contextlib.redirect_stdout(io.StringIO()):
            warnings.simplefilter("ignore")
            space = runpy.run_path(str(program))
            models = [ours(program), theirs(space, dynamo=False)]
            models += [theirs(space, dynamo=True)] if newer else []
        for data in models:
            agrees(data, space)
        cells = [f"{len(onnx.load_from_string(m).graph.node):4} {len(m):8,}" for m in models]
        print(f"{name:12} {'   '.join(cells)}")


def ours(program: Path) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "model.onnx"
        command = ["trace", "--interpreter", sys.executable, "--timeout", "60", "--function"]
        command += ["forward", "--format", "onnx", "-o", str(target), str(program)]
        subprocess.run([sys.executable, "-m", "jit_lsp.cli", *command], check=True)
        return target.read_bytes()


def theirs(space: dict[str, Any], *, dynamo: bool) -> bytes:
    import torch

    if not dynamo:
        stream = io.BytesIO()
        torch.onnx.export(space["net"], space["given"], stream, dynamo=False, opset_version=18)
        return stream.getvalue()
    made = torch.onnx.export(space["net"], space["given"], dynamo=True)
    assert made is not None
    return made.model_proto.SerializeToString()


def agrees(data: bytes, space: dict[str, Any]) -> None:
    session = onnxruntime.InferenceSession(data)
    (given,) = session.get_inputs()
    (found,) = session.run(None, {given.name: space["given"][0].numpy()})
    np.testing.assert_allclose(found, space["wanted"].numpy(), rtol=1e-4, atol=1e-5)
