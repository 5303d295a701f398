"""Writes tests of PyTorch as files: one test for each operation, type and way to call it, for its
gradient, for each layer and each configuration of an optimizer, from PyTorch's own databases.

``python -m of_torch.generate FOLDER [OPERATION..]`` runs in the interpreter to be tested and prints
the names of the modules. What the tests call is written out, as a program would: these files are
what is recorded.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import torch
from torch.testing._internal.autograd_function_db import autograd_function_db
from torch.testing._internal.common_methods_invocations import op_db
from torch.testing._internal.common_modules import module_db
from torch.testing._internal.common_optimizers import optim_db

DTYPES = ("float32", "float64", "int64", "complex64", "bool")
PARTS = 8
"""Files that the tests of operations come in."""
HEAD = '''\
"""Generated from PyTorch's own databases of tests."""

import torch
from of_torch.samples import Case, copied, layers, operation, options, samples, tensors, wanting
'''
FORWARD = """
    def test_{test}_{dtype}(self):
        {before}for x, args, kwargs in samples({name!r}, {variant!r}, torch.{dtype}):
            try:
                out = {call}
            except (RuntimeError, TypeError, ValueError) as error:
                out = error
            self.seen(out)
"""
IN_PLACE = """
    def test_{test}_in_place(self):
        for given, args, kwargs in samples({name!r}, {variant!r}, torch.float32):
            x = copied(given)
            before = x
            try:
                out = {call}
                out += 1
            except (RuntimeError, TypeError, ValueError) as error:
                out = error
            self.seen(out, x, before is x)
"""
GRADIENT = """
    def test_{test}_gradient(self):
        {before}for x, args, kwargs in samples({name!r}, {variant!r}, torch.float64, gradient=True):
            out = {call}
            parts = [part for part in tensors(out) if part.requires_grad]
            wanted = wanting(x, args, kwargs)
            if parts and wanted:
                loss = sum(part.abs().sum() for part in parts)
                grads = torch.autograd.grad(loss, wanted, allow_unused=True)
                self.seen(out, grads)
"""
LAYER = """
    def test_{test}_{mode}(self):
        for made, given in layers({name!r}, training={training}):
            net = torch.{name}(*made.args, **made.kwargs)
            net.train({training})
            out = net(*given.args, **given.kwargs)
            parts = [part for part in tensors(out) if part.requires_grad]
            if parts:
                loss = sum(part.abs().sum() for part in parts)
                loss.backward()
            self.seen(out, [p.grad for p in net.parameters()], list(net.buffers()))
"""
OPTIMIZER = """
    def test_{name}_{number}(self):
        net = torch.nn.Sequential({layers})
        optimizer = torch.optim.{name}(net.parameters(), **options({name!r}, {number}))
        x = {x}

        def closure():
            optimizer.zero_grad()
            loss = net(x).square().mean()
            loss.backward()
            return loss

        for _ in range(4):
            loss = optimizer.step(closure)
            self.seen(loss)
        for _ in range(4 if {name!r} != "LBFGS" else 0):
            optimizer.zero_grad()
            out = net(x)
            loss = out.square().mean()
            loss.backward()
            optimizer.step()
            self.seen(loss, list(net.parameters()))
"""


def main(folder: str, *only: str) -> None:
    """Write the modules, and print their names."""
    known = [op for op in (*op_db, *autograd_function_db) if not only or op.name in only]
    count = 1 if only else PARTS
    files = {
        f"torch_ops_{i}": _class("Operations", map(_operation, known[i::count]))
        for i in range(count)
    }
    if not only:
        files["torch_layers"] = _class("Layers", map(_layer, module_db))
        files["torch_optimizers"] = _class("Optimizers", map(_optimizer, optim_db))
    for name, text in files.items():
        Path(folder, f"{name}.py").write_text(HEAD + text, encoding="utf-8")
        print(name)


def _class(name: str, tests: Iterable[Iterable[str]]) -> str:
    bodies = "".join(text for of_one in tests for text in of_one)
    return f"\n\nclass {name}(Case):{bodies}"


def _operation(op: Any) -> Iterator[str]:
    """Tests of one operation."""
    test = re.sub(r"\W", "_", "_".join(filter(None, (op.name, op.variant_test_name))))
    names = {"test": test, "name": op.name, "variant": op.variant_test_name, "before": ""}
    call = f"torch.{op.name}(x, *args, **kwargs)"
    if not op.op or _found(torch, op.name) is not op.op:
        call = "op(x, *args, **kwargs)"
        names["before"] = f"op = operation({op.name!r}, {op.variant_test_name!r})\n        "
    for dtype in DTYPES:
        if getattr(torch, dtype) in op.dtypes:
            yield FORWARD.format(**names, call=call, dtype=dtype)
    plain = {**names, "before": ""}
    if op.method_variant is not None and _is_method(op.name, op.method_variant):
        method = {**plain, "test": test + "_method"}
        yield FORWARD.format(**method, call=f"x.{op.name}(*args, **kwargs)", dtype="float32")
    if op.inplace_variant is not None and _is_method(op.name + "_", op.inplace_variant):
        yield IN_PLACE.format(**plain, call=f"x.{op.name}_(*args, **kwargs)")
    if op.supports_autograd and torch.float64 in op.dtypes:
        yield GRADIENT.format(**names, call=call)


def _layer(info: Any) -> Iterator[str]:
    """Tests of one layer, in both modes."""
    for mode, training in (("train", True), ("eval", False)):
        test = info.name.replace(".", "_")
        yield LAYER.format(test=test, name=info.name, mode=mode, training=training)


def _optimizer(info: Any) -> Iterator[str]:
    """Tests of one optimizer, one for each configuration."""
    name = info.optim_cls.__name__
    layers, x = "torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 2)", "torch.randn(5, 3)"
    if name == "SparseAdam":
        layers, x = "torch.nn.Embedding(6, 3, sparse=True)", "torch.tensor([0, 2, 2, 5])"
    if name == "Muon":  # for matrices alone
        layers = "torch.nn.Linear(3, 4, bias=False), torch.nn.Linear(4, 2, bias=False)"
    for number in range(len(info.optim_inputs_func(device="cpu"))):
        yield OPTIMIZER.format(name=name, number=number, layers=layers, x=x)


def _found(root: Any, name: str) -> object:
    try:
        return attrgetter(name)(root)
    except AttributeError:
        return None


def _is_method(name: str, method: object) -> bool:
    return name.isidentifier() and _found(torch.Tensor, name) is method


if __name__ == "__main__":
    main(*sys.argv[1:])
