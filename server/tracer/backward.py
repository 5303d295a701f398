"""Derivatives of calls that are made again: by a function of the program, or PyTorch's autograd."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from .calls import Call, Calls, Refused, called

if TYPE_CHECKING:
    from typing import Protocol

    class Maker(Protocol):
        """Makes calls again."""

        calls: Calls

        def roles(self, call: Call) -> list[str]:
            """What the arguments that aren't given by name stand for in the graph, in order."""

        def run(self, function: Callable[[], Any]) -> Any:
            """Run code of the program."""


class Derivative:
    """Of a ``call`` with these arguments in its places; ``named`` are those that the graph gives by
    name, behind the others."""

    def __init__(
        self, asked: Maker, call: Call, arguments: Sequence[Any], named: Sequence[str]
    ) -> None:
        self.asked, self.call, self.arguments, self.named = asked, call, arguments, named
        self.roles = [*asked.roles(call), *named]
        self.note = ""
        """What is to be known of the derivative."""

    def __call__(self, by: str | None, levels: Sequence[Any], wanted: Sequence[Any]) -> list[Any]:
        """The derivative by what is ``wanted``. ``levels`` are the gradients of what the call
        gives, and then of what its derivative gives."""
        if by is None:
            parts: list[Any] = self.asked.run(lambda: self.by_autograd(levels, wanted))
            return parts
        found = self.by_function(by, [gradient for level in levels for gradient in level])
        taken = sum(len(level) for level in levels[:-1])
        return [self.part(found, path, taken) for path in wanted]

    # ------------------------------------------------------------------ a function of the program

    def by_function(self, name: str, gradients: Sequence[Any]) -> Any:
        """What the function gives that the program names: for what was called, and gradients."""
        function = self.call.function
        given = [self.like_first(gradient) for gradient in gradients]
        places, values = list(self.call.places), list(self.arguments)
        owner = getattr(function, "__self__", None)
        if getattr(function, "__func__", None) is not None:  # its first parameter is an argument
            places, values = [-1, *places], [owner, *values]
        last = max((i for i, p in enumerate(places) if p == "*" or isinstance(p, int)), default=-1)
        places[last + 1 : last + 1] = [len(places)] * len(given)
        values[last + 1 : last + 1] = given
        backward = _named(name, function)
        found = self.asked.run(lambda: called(backward, places, values))
        return found if isinstance(found, tuple | list) else (found,)

    def like_first(self, gradient: Any) -> Any:
        """A gradient as a tensor, where the call takes tensors."""
        torch: Any = sys.modules.get("torch")
        tensors = torch is not None and any(isinstance(a, torch.Tensor) for a in self.arguments)
        array = hasattr(gradient, "flags")
        return torch.from_numpy(gradient) if tensors and array else gradient

    def part(self, found: Sequence[Any], path: Any, taken: int) -> Any:
        """What a derivative has for an argument, or an item of one. That of a derivative has
        parts for the gradients too that this had ``taken``, behind those of arguments in order."""
        first, *rest = path if isinstance(path, list) else [path]
        try:
            part: Any = found[self.position(first, rest, taken)]
            for place in rest:
                part = part[place]
        except (IndexError, TypeError):
            raise Refused(
                f"its derivative has {len(found)} parts, one for each argument is wanted"
            ) from None
        return part

    def position(self, operand: int, rest: list[int], taken: int) -> int:
        """Which part of a derivative is for an operand of the graph."""
        places = self.call.places
        ordered = [p for p in places if p == "*" or isinstance(p, int)]
        method = getattr(self.call.function, "__func__", None) is not None
        if operand >= len(self.roles):
            return method + self.counted(ordered) + operand - len(self.roles)
        role = self.roles[operand]
        if role == "self":
            return 0
        if role == "*":
            return method + self.counted(ordered[: ordered.index("*")]) + rest.pop(0)
        if role.isdigit():
            return method + self.counted(ordered[: ordered.index(int(role))])
        return method + self.counted(places[: places.index(role)]) + taken

    def counted(self, places: Sequence[int | str]) -> int:
        """How many arguments stand in places."""
        pairs = zip(places, self.arguments, strict=False)
        return sum(len(value) if place in ("*", "**") else 1 for place, value in pairs)

    # ------------------------------------------------------------------ PyTorch's autograd

    def by_autograd(self, levels: Sequence[Any], wanted: Sequence[Any]) -> list[Any]:
        """What autograd gives for the call, made once more."""
        torch: Any = sys.modules["torch"]
        with torch.enable_grad():
            leaves = [self.leaf(torch, value) for value in self.arguments]
            result = called(self.call.function, self.call.places, leaves)
            outputs = [o for o in self.asked.calls.results(result) if _is_smooth(o)]
            inputs = self.inputs(leaves)
            taken = [*inputs.values()]
            if _reach_others(outputs, taken):
                self.note = "it also depends on parameters that it isn't given"
            for number, level in enumerate(levels):
                gradients = [_tensor(torch, g, number + 1 < len(levels)) for g in level]
                if number:  # of the derivative before, which has a part for each argument
                    gradients = [gradients[i] for i in inputs]
                outputs = self.pulled_back(torch, outputs, taken, gradients, number, levels)
                if number + 1 < len(levels):
                    taken = [*taken, *gradients]
        positions = {operand: i for i, operand in enumerate(inputs)}
        first = len(positions)
        return [
            outputs[positions[p] if p in positions else first + p - len(self.roles)] for p in wanted
        ]

    def pulled_back(
        self, torch: Any, outputs: list[Any], taken: list[Any], gradients: list[Any], level: int,
        levels: Sequence[Any],
    ) -> list[Any]:  # fmt: skip
        """The gradients of what was taken, from those of the outputs."""
        if len(outputs) != len(gradients):
            raise Refused(f"it gave {len(outputs)} tensors of numbers that aren't whole, and "
                          f"{len(gradients)} in the run")  # fmt: skip
        pairs = [(o, g) for o, g in zip(outputs, gradients, strict=True) if o.requires_grad]
        if not pairs:
            return [torch.zeros_like(leaf) for leaf in taken]
        found = torch.autograd.grad(
            [o for o, _ in pairs], taken, [g for _, g in pairs],
            create_graph=level + 1 < len(levels), allow_unused=True,
        )  # fmt: skip
        return [
            torch.zeros_like(leaf) if part is None else part
            for part, leaf in zip(found, taken, strict=True)
        ]

    def inputs(self, leaves: Sequence[Any]) -> dict[int, Any]:
        """The tensors that a derivative may be wanted by, by the operands that they are."""
        found = {}
        for operand, role in enumerate(self.roles):
            place: int | str = int(role) if role.isdigit() else role
            if place in self.call.places:
                leaf = leaves[self.call.places.index(place)]
                if _is_smooth(leaf):
                    found[operand] = leaf
        return found

    @staticmethod
    def leaf(torch: Any, value: Any) -> Any:
        """A tensor as one that gradients are computed of."""
        return value.detach().requires_grad_() if _is_smooth(value) else value


def _tensor(torch: Any, gradient: Any, differentiated: bool) -> Any:
    if not hasattr(gradient, "dtype"):
        return gradient
    made = torch.as_tensor(gradient)
    return made.requires_grad_() if differentiated and _is_smooth(made) else made


def _reach_others(outputs: Sequence[Any], leaves: Sequence[Any]) -> bool:
    """Whether outputs have gradients by other leaves too."""
    todo = [output.grad_fn for output in outputs if output.grad_fn is not None]
    seen = set(todo)
    while todo:
        node = todo.pop()
        leaf = getattr(node, "variable", None)
        if leaf is not None and not any(leaf is known for known in leaves):
            return True
        new = [n for n, _ in node.next_functions if n is not None and n not in seen]
        seen.update(new)
        todo += new
    return False


def _is_smooth(value: Any) -> bool:
    return hasattr(value, "requires_grad") and bool(value.is_floating_point() or value.is_complex())


def _named(name: str, function: Any) -> Any:
    """The function of that name where ``function`` is defined."""
    inner = getattr(function, "__func__", function)
    while hasattr(inner, "__wrapped__"):
        inner = inner.__wrapped__
    known = getattr(inner, "__globals__", None) or vars(sys.modules["__main__"])
    first, *rest = name.split(".")
    found = known.get(first)
    for part in rest:
        found = getattr(found, part, None)
    if not callable(found):
        raise Refused(f"there is no function {name} to give its derivative")
    return found
