"""Reads the text form of graphs: the inverse of ``printer``.

Line breaks and indentation mean nothing; only comments end with their line. A comment behind a
statement that begins with a location is the statement's location, any other comment is skipped.
"""

from __future__ import annotations

import ast
import json
import re
from typing import Final, NamedTuple

from ..doc.source import Span
from .bulk import collector_paused
from .context import CONTEXT, within
from .graph import CALL, DEEPEST, LOOP, NEXT, RETURN, YIELD, Node, Region
from .lexer import Lexer, ParseError
from .literals import PLAIN_NAME
from .module import Graph, Module
from .symbol import Symbol
from .types import (
    ArrayType,
    DictType,
    HandleType,
    ListType,
    ModuleType,
    OpaqueType,
    ParameterType,
    ScalarType,
    TupleType,
    Type,
)
from .values import Attribute, Constant, Keyword, Operand, Pack, Value

__all__ = ["ParseError", "parse", "parse_type"]


def parse(text: str) -> Module:
    """The module that prints as ``text``; raises ``ParseError``."""
    with collector_paused():
        parser = _Parser(text)
        parser.read(parser.graphs)
    return parser.module


def parse_type(text: str) -> Type:
    """The type that prints as ``text``; raises ``ParseError``."""
    parser = _Parser(text)
    type_ = parser.read(parser.type)
    if parser.kind != "end":
        parser.fail("the end of the type")
    return type_


class _Parser(Lexer):
    """Reads graphs, and fills the module with them."""

    def __init__(self, text: str) -> None:
        self.module = Module()
        self.defined: dict[int, Value] = {}
        self.known_types: dict[str, Type] = {}
        self.nested = 0  # how many brackets of operands or types are open
        super().__init__(text)

    # graphs and statements

    def graphs(self) -> None:
        while self.kind != "end":
            self.graph()

    def graph(self) -> None:
        self.expect("graph")
        self.expect("@")
        place, name = self.start, self.dotted("the name of a graph")
        if name in self.module.graphs:
            self.fail("a name that no other graph has", name, place)
        graph = self.module.add_graph(name)
        self.parameters(graph.body)
        self.block(graph.body, graph)

    def parameters(self, region: Region) -> None:
        self.expect("(")
        while not self.accept(")"):
            name = self.new_name()
            self.expect(":")
            self.define(region.add_parameter(self.type(), name.hint), name)
            self.comma_or(")")

    def block(self, region: Region, owner: Graph | Node) -> None:
        self.expect("{")
        self.locate(owner)
        self.statements(region)

    def statements(self, region: Region) -> None:
        while region.terminator is None and self.token != "}":
            self.statement(region)
        self.expect("}")

    def statement(self, region: Region) -> None:
        if self.accept("---"):
            self.expect("stage")
            region.mark_stage(self.integer("the number of the stage"))
            self.expect("---")
            assert region.last is not None  # the mark
            self.locate(region.last)
            return
        if self.accept_word("under"):
            self.under(region)
            return
        op = _TERMINATORS.get(self.token)
        if op is not None and self.accept_word(self.token):
            operands, _ = self.operands("}") if self.token != "}" else ([], [])
            self.locate(region.append(op, operands))
            return
        names: list[_Name] = []
        types: list[Type] = []
        while self.kind == "value":
            names.append(self.new_name())
            self.expect(":")
            types.append(self.type())
            self.comma_or("=")
        if names:
            self.expect("=")
        node = self.application(region, types, [name.hint for name in names])
        for value, name in zip(node.results, names, strict=True):
            self.define(value, name)

    def under(self, region: Region) -> None:
        names = [self.context()]
        while self.accept(","):
            names.append(self.context())
        self.expect("{")
        before = region.last
        self.statements(region)
        node = region.first if before is None else before.next
        while node is not None:
            node.under = within(tuple(names), node.under)
            node = node.next

    def context(self) -> str:
        match = CONTEXT.match(self.text, self.start)
        if match is None:
            self.fail("what nodes run under, such as no_grad")
        self.end = match.end()
        self.advance()
        return match[0]

    def application(self, region: Region, types: list[Type], hints: list[str | None]) -> Node:
        if self.accept_word("loop"):
            return self.loop(region, types, hints)
        if self.accept_word("call"):
            op, mutating, attributes = CALL, self.accept("!"), self.attributes()
            self.expect("@")
            attributes["callee"] = self.dotted("the name of a graph")
        else:
            place, name = self.start, self.dotted("a statement")
            if "." not in name:
                self.fail("a statement", name, place)
            op, mutating, attributes = Symbol.parse(name), self.accept("!"), self.attributes()
        self.expect("(")
        operands, marked = self.operands(")")
        self.expect(")")
        mutated = marked or ([0] if mutating else [])
        node = region.append(op, operands, types, hints, attributes, mutated=mutated)
        self.locate(node)
        while self.token == "(":
            self.check_depth(region.depth)
            inner = Region(self.module, node)
            node.regions += (inner,)
            self.parameters(inner)
            self.block(inner, node)
        return node

    def loop(self, region: Region, types: list[Type], hints: list[str | None]) -> Node:
        self.check_depth(region.depth)
        attributes = self.attributes()
        names = [self.new_name()]
        self.expect("in")
        count = None if self.accept("?") else self.integer("how often the loop ran")
        carried: list[tuple[Type, str | None]] = []
        starts: list[Operand] = []
        if self.accept("("):
            while not self.accept(")"):
                names.append(self.new_name())
                wanted = self.type() if self.accept(":") else None
                place = self.start
                self.expect("=")
                start = self.operand()
                if wanted is None and not isinstance(start, Value):
                    self.fail("the type of what starts with a constant", "=", place)
                starts.append(start)
                carried.append((wanted or start.type, names[-1].hint))  # type: ignore[union-attr]
                self.comma_or(")")
        node = region.append_with_regions(
            [[(ScalarType("int"), names[0].hint), *carried]],
            LOOP,
            starts,
            types,
            hints,
            {"count": count, **attributes},
        )
        for value, name in zip(node.regions[0].parameters, names, strict=True):
            self.define(value, name)
        self.block(node.regions[0], node)
        return node

    def check_depth(self, depth: int) -> None:
        """Fail if what comes next would be too deep, where so much is around it."""
        if depth >= DEEPEST:
            self.fail(f"less nesting, which may be {DEEPEST} deep")

    # operands and attributes

    def operands(self, end: str) -> tuple[list[Operand], list[int]]:
        """Operands up to ``end``, and the positions of those marked as mutated."""
        operands: list[Operand] = []
        marked: list[int] = []
        self.check_depth(self.nested)
        self.nested += 1
        while self.token != end:
            if self.kind == "word" and self.text.startswith("=", self.end):
                name = self.token
                self.advance()
                self.advance()
                operands.append(Keyword(name, self.operand()))
            else:
                operands.append(self.operand())
            if self.accept("!"):
                marked.append(len(operands) - 1)
            if not self.accept(","):
                break
        self.nested -= 1
        return operands, marked

    def operand(self) -> Operand:
        first = None if self.token == ":" else self.simple_operand()
        if self.token != ":":
            assert first is not None
            return first
        parts = [first or Constant(None)]
        while self.accept(":"):
            left_out = self.token in (",", ")", "]", "}", ":", "!", "")
            parts.append(Constant(None) if left_out else self.simple_operand())
        parts += [Constant(None)] * (3 - len(parts))
        if len(parts) > 3:
            self.fail("a slice of at most three parts", ":", self.start)
        if all(isinstance(part, Constant) for part in parts):
            return Constant(slice(*(part.value for part in parts if isinstance(part, Constant))))
        return Pack("slice", parts)

    def simple_operand(self) -> Operand:
        if self.kind == "value":
            name = self.new_name()
            value = self.defined.get(name.number)
            if value is None or value.hint != name.hint:
                self.fail("a value that is defined above", name.text, name.place)
            return value
        if self.accept("("):
            items, _ = self.operands(")")
            self.expect(")")
            return Pack("tuple", items)
        if self.accept("["):
            items, _ = self.operands("]")
            self.expect("]")
            return Pack("list", items)
        if self.accept("..."):
            return Constant(...)
        if self.accept_word("type"):
            return Constant(self.type())
        return Constant(self.atom())

    def atom(self) -> object:
        kind, token, place = self.kind, self.token, self.start
        if kind == "string":
            return self.string()
        if kind in ("number", "bytes"):
            self.advance()
            return float(token) if token.endswith(("inf", "nan")) else ast.literal_eval(token)
        if kind != "word":
            self.fail("an operand", token, place)
        if self.accept_word("complex"):
            self.expect("(")
            real = self.atom()
            self.expect(",")
            imag = self.atom()
            self.expect(")")
            if not (isinstance(real, float) and isinstance(imag, float)):
                self.fail("two floats", token, place)
            return complex(real, imag)
        name = self.dotted("an operand")
        if name in _KEYWORDS:
            return _KEYWORDS[name]
        if "." not in name:
            self.fail("an operand", name, place)
        return Symbol.parse(name)

    def attributes(self) -> dict[str, Attribute]:
        found: dict[str, Attribute] = {}
        if not self.accept("["):
            return found
        while not self.accept("]"):
            name = self.take("word", "the name of an attribute")
            self.expect("=")
            place = self.start
            found[name] = self.attribute(self.operand(), place)
            self.comma_or("]")
        return found

    def attribute(self, operand: Operand, place: int) -> Attribute:
        if isinstance(operand, Constant):
            return operand.value
        if isinstance(operand, Pack) and operand.kind == "tuple":
            return tuple(self.attribute(item, place) for item in operand.items)
        raise self.error("an attribute", self.text[place : self.start], place)

    # types

    def type(self) -> Type:
        """A type; array types are read from the text at once, since nearly all types are those."""
        if self.kind == "word":
            match = _ARRAY.match(self.text, self.start)
            if match is not None:
                known = self.known_types.get(match[0])
                if known is None:
                    known = self.known_types[match[0]] = self.array_type(match)
                self.end = match.end()
                self.advance()
                return known
        self.check_depth(self.nested)
        self.nested += 1
        found = self.other_type()
        self.nested -= 1
        return found

    def other_type(self) -> Type:
        """A type that isn't of arrays."""
        place = self.start
        if self.accept("("):
            items: list[Type] = []
            while not self.accept(")"):
                items.append(self.type())
                self.comma_or(")")
            return TupleType(tuple(items))
        if self.accept("{"):
            entries: list[tuple[str, Type]] = []
            while not self.accept("}"):
                key = self.string()
                self.expect(":")
                entries.append((key, self.type()))
                self.comma_or("}")
            return DictType(tuple(entries))
        word = self.take("word", "a type")
        if not self.accept("<"):
            try:
                return ScalarType(word)
            except ValueError:
                self.fail("a type", word, place)
        found = self.bracketed_type(word, place)
        self.expect(">")
        return found

    def bracketed_type(self, word: str, place: int) -> Type:
        if word == "list":
            item = self.type()
            self.expect(",")
            return ListType(item, None if self.accept("?") else self.integer("a length"))
        if word not in ("module", "parameter", "handle", "opaque"):
            self.fail("a type", word, place)
        name = self.string() if self.kind == "string" else self.dotted("a name", PLAIN_NAME)
        if word == "parameter":
            self.expect(",")
            place, array = self.start, self.type()
            if not isinstance(array, ArrayType):
                self.fail("an array type", str(array), place)
            return ParameterType(name, array)
        return {"module": ModuleType, "handle": HandleType, "opaque": OpaqueType}[word](name)

    def array_type(self, match: re.Match[str]) -> ArrayType:
        element, inside = match.groups()
        dims, *extras = inside.split(";")
        sizes: list[int | None] = []
        names: list[str | None] = []
        for dim in filter(None, (dim.strip() for dim in dims.split(","))):
            name, equals, size = dim.rpartition("=")
            if size != "?" and not (size.isascii() and size.isdigit()):
                self.fail("a size", dim, self.text.index(dim, match.start(2)))
            names.append(name if equals else None)
            sizes.append(None if size == "?" else int(size))
        fields: dict[str, str] = {}
        for extra in extras:
            name, equals, field = extra.strip().partition("=")
            if name not in ("strides", "device", "kind") or not equals:
                self.fail("strides, device or kind", extra.strip(), match.start(2))
            fields[name] = field
        strides = fields.pop("strides", None)
        try:
            return ArrayType(
                element,
                tuple(sizes),
                None if strides is None else tuple(map(int, re.findall(r"-?\d+", strides))),
                tuple(names) if any(names) else (),
                fields.get("device"),
                fields.get("kind", "array"),
            )
        except ValueError as error:
            self.fail(f"an array type ({error})", match[0], match.start())

    # names and places

    def new_name(self) -> _Name:
        place, text = self.start, self.take("value", "the name of a value")
        hint, _, number = text[1:].rpartition(".")
        return _Name(hint or None, int(number), text, place)

    def define(self, value: Value, name: _Name) -> None:
        if name.number in self.defined:
            self.fail("a number that no other value has", name.text, name.place)
        value.number = name.number
        self.module.reserve(name.number)
        self.defined[name.number] = value

    def locate(self, owner: Graph | Node) -> None:
        """Take the comment behind the last token as the owner's location."""
        match = None if self.comment is None else _LOCATION.fullmatch(self.comment)
        if match is None:
            return
        places, note = match.groups()
        spans = tuple(map(_span, _PLACE.finditer(places)))
        owner.note = note
        owner.span = spans[0] if spans else None
        if isinstance(owner, Node):
            owner.call_path = spans[1:]


class _Name(NamedTuple):
    """``%hint.number`` as it stands in the text."""

    hint: str | None
    number: int
    text: str
    place: int


_TERMINATORS: Final = {"return": RETURN, "next": NEXT, "yield": YIELD}
_KEYWORDS: Final = {"None": None, "True": True, "False": False}
_ARRAY = re.compile(r"([^\W\d]\w*)\[([^\]]*)\]")
_PATH = r'(?:"(?:[^"\\]|\\.)*"|[^\s",#]+)'
_PLACE = re.compile(rf"({_PATH}):(\d+):(\d+)(?:-(?:(\d+):)?(\d+))?")
_ANY_PLACE = rf"{_PATH}:\d+:\d+(?:-(?:\d+:)?\d+)?"
_LOCATION = re.compile(rf"(-|{_ANY_PLACE}(?: in {_ANY_PLACE})*)(?:, (.*?))?(?:  # used by .*)?")


def _span(match: re.Match[str]) -> Span:
    """The place ``path:line:column``, with ``-column`` or ``-line:column`` where it ends."""
    path, line, column, end_line, end_column = match.groups()
    if path.startswith('"'):
        path = json.loads(path)
    start = (int(line), int(column) - 1)
    if end_column is None:
        return Span(path, *start, *start)
    return Span(path, *start, int(end_line or line), int(end_column) - 1)
