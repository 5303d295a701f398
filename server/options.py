"""What the command line takes: its commands and their options."""

from __future__ import annotations

import argparse

from . import __version__


def parser() -> argparse.ArgumentParser:
    """The parser of all commands."""
    top = argparse.ArgumentParser(
        prog="jit-lsp",
        description="Runs array programs on save and shows what every value was.",
    )
    top.add_argument("--version", action="version", version=f"jit-lsp {__version__}")
    top.add_argument("--stdio", action="store_true", help="serve an editor over stdin and stdout")
    top.add_argument(
        "--tcp", type=_address, metavar="HOST:PORT", help="serve an editor over a socket"
    )
    top.set_defaults(command=None)
    commands = top.add_subparsers(title="commands", metavar="COMMAND")

    def command(name: str, text: str) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=text, description=text)
        added.set_defaults(command=name)
        return added

    checked = command("check", "run files and report what is wrong; -- passes arguments on")
    _running(checked)
    formats = ("text", "json", "github", "sarif")
    checked.add_argument("--format", choices=formats, default="text")
    checked.add_argument("--select", metavar="R,..", help="only these rules")
    checked.add_argument("--ignore", metavar="R,..", help="all but these rules")
    checked.add_argument("--statistics", action="store_true", help="count findings by rule")
    checked.add_argument("--fix", action="store_true", help="make the safe fixes")
    checked.add_argument("--diff", action="store_true", help="show what --fix would do")
    checked.add_argument("--unsafe-fixes", action="store_true", help="make the others too")
    checked.add_argument(
        "--replay", action="store_true",
        help="compute each operation again from what the graph has, and tell of differences",
    )  # fmt: skip
    checked.add_argument("-j", "--jobs", type=_count, metavar="N", help="runs at once (cores)")
    checked.add_argument(
        "--force-exclude", action="store_true", help="choose among files as among those of folders"
    )
    checked.add_argument("files", nargs="+", metavar="FILE", help="or folder, for its programs")

    traced = command("trace", "run a file and print its graph")
    _running(traced)
    traced.add_argument("--function", metavar="NAME", help="the graph of one function alone")
    traced.add_argument("--format", choices=("text", "json", "dot", "svg", "onnx"), default="text")
    traced.add_argument(
        "-O", dest="level", type=int, choices=(0, 1, 2), default=0, help="how much to simplify"
    )
    traced.add_argument(
        "--stage", type=int, metavar="N",
        help="one stage alone: 0 is forward, 1 backward, 2 the backward of a backward",
    )  # fmt: skip
    _derivatives(traced)
    _execution(traced)
    traced.add_argument("-o", "--output", metavar="FILE", help="write there, not to stdout")
    _fake(traced)
    traced.add_argument(
        "--allow-custom",
        action="store_true",
        help="in a model, ops that ONNX has no operator for as operators of the domain jit_lsp",
    )
    traced.add_argument("file", metavar="FILE")

    hovered = command("hover", "run a file and show what an editor would, over a place")
    _running(hovered)
    _fake(hovered)
    hovered.add_argument(
        "--grad", metavar="LOSS", help="the graph of the gradient of LOSS by the variable there"
    )
    hovered.add_argument("file", metavar="FILE")
    hovered.add_argument("place", metavar="LINE:COLUMN", help="both from 1")

    ran = command("run", "as python FILE, with an explanation where it failed")
    ran.add_argument("--interpreter", metavar="PYTHON", help="the Python that runs the file")
    ran.add_argument("--findings", metavar="JSON", help="write all findings there, as JSON")
    ran.add_argument("file", metavar="FILE")
    ran.add_argument("arguments", nargs=argparse.REMAINDER, metavar="ARGS")

    explained = command("explain", "print the page of a rule")
    explained.add_argument("rule", metavar="RULE")
    return top


def _running(parser: argparse.ArgumentParser) -> None:
    """The options of every command that runs a program confined."""
    parser.add_argument("--interpreter", metavar="PYTHON", help="the Python that runs the file")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="wall-clock limit (10)")
    parser.add_argument("--no-sandbox", dest="sandbox", action="store_false")


def _fake(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--fake", action="store_true",
        help="types and sizes alone, without computing (PyTorch), where no element decides",
    )  # fmt: skip


def _derivatives(parser: argparse.ArgumentParser) -> None:
    """The options of derivatives."""
    parser.add_argument("--grad", metavar="LOSS", help="add the derivatives of a value or function")
    parser.add_argument("--wrt", metavar="NAMES", help="what to differentiate by: a,b,..")
    parser.add_argument(
        "--derivatives", type=_count, default=1, metavar="N", help="how often to differentiate (1)"
    )


def _execution(parser: argparse.ArgumentParser) -> None:
    """The options of execution."""
    parser.add_argument("--execute", action="store_true", help="compute the graph")
    parser.add_argument("--inputs", metavar="NPZ", help="arrays for it, by name")


def _seconds(text: str) -> float:
    value = float(text)
    if not 0 < value < 1e6:
        raise argparse.ArgumentTypeError(f"not a time in seconds: {text}")
    return value


def _count(text: str) -> int:
    if not text.isdigit() or not int(text):
        raise argparse.ArgumentTypeError(f"not a number of runs: {text}")
    return int(text)


def _address(text: str) -> tuple[str, int]:
    host, _, port = text.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise argparse.ArgumentTypeError(f"not HOST:PORT: {text}")
    return host.strip("[]"), int(port)
