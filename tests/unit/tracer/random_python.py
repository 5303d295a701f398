"""Random programs of all of Python's syntax, for what recording must not change.

Names say what they hold most of the time: integers, arrays, lists, functions. Now and then one is
used as something else, or before it has a value: a program may end with any exception. Numbers stay
small, loops are short, and a function calls only those ahead of it, so that each ends at once.
"""

INTEGERS, ARRAYS, LISTS, FUNCTIONS = "ijk", "abc", "pq", "fgh"


class Writer:
    """Writes one program; ``random`` decides everything."""

    def __init__(self, random):
        self.random = random
        self.in_function = self.in_loop = self.in_class = False
        self.callable = FUNCTIONS

    def pick(self, *options):
        return self.random.choice(options)

    def chance(self, part):
        return self.random.random() < part

    # ------------------------------------------------------------------ expressions

    def integer(self, depth=2):
        if depth <= 0 or self.chance(0.3):
            return self.pick(*INTEGERS, "0", "1", "2", "3", "-1")
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(
            f"({one} + {other})", f"({one} - {other})", f"({one} * {other} % 7)", f"(-{one})",
            f"({one} if {self.test(depth - 1)} else {other})", f"len({self.list(depth - 1)})",
            f"({one} // {other})", f"({self.pick(*INTEGERS)} := {one})", f"int({one})",
            f"sum({self.pick('i', 'n')} + {one} for {self.pick('i', 'n')} in range(3))",
            self.call(one), f"(lambda n=1, *r: n + {one})({other})",
            f"{self.pick(*LISTS)}[{one} % 2]", f"int({self.array(depth - 1)}.sum() % 5)",
            f"box.{self.pick(*INTEGERS)}", f"(lambda: {one} + {other})()",
        )  # fmt: skip

    def array(self, depth=2):
        if depth <= 0 or self.chance(0.3):
            return self.pick(*ARRAYS, "np.arange(3.0)", "np.ones((2, 3))", "np.arange(3)")
        one, other = self.array(depth - 1), self.array(depth - 1)
        small = self.integer(depth - 1)
        return self.pick(
            f"({one} + {other})", f"({one} * {small})", f"({one} - {other})", f"(-{one})",
            f"np.maximum({one}, {small})", f"{one}.reshape(-1, 3)", f"{one}[{small} % 2:]",
            f"{one}.T", f"({one} @ {other})", f"np.add({one}, {other}, out={self.pick(*ARRAYS)})",
            f"({one} / {small})", f"np.concatenate([{one}, {other}])", f"np.log({one})",
            self.call(one), f"np.where({one} > {small}, {one}, {other})",
            f"np.array([{one}, *[{other}]])", "held['w']", f"held[{small} % 2]",
            f"{one}.astype(np.int8)", f"{one}.copy()", "box.a", f"{one}.sum(axis=0)",
            f"np.stack([v + {small} for v in ({one}, {other})])",
        )  # fmt: skip

    def call(self, argument):
        return f"{self.pick(*self.callable)}({argument})" if self.callable else argument

    def list(self, depth=2):
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(
            *LISTS, f"[{one}, {other}]", f"[*{self.pick(*LISTS)}, {one}]",
            f"list(range({one} % 4))",
            f"[n + {one} for n in range(3) if n != {other}]",
            f"[(n, m) for n in range(2) for m in range({one} % 3)]",
            f"sorted({self.pick(*LISTS)}, key=lambda n: (str(n), {one}))",
            f"list({{n: {one} for n in 'xy'}})", f"list(map(lambda n: n + {one}, [{other}]))",
        )  # fmt: skip

    def test(self, depth=2):
        one, other = self.integer(depth - 1), self.integer(depth - 1)
        return self.pick(
            f"{one} < {other}", f"{one} == {other} != 3", f"not {one}", f"{one} and {other}",
            f"{one} in {self.list(depth - 1)}", f"({one} or {other})", f"0 <= {one} < {other}",
            f"({self.array(depth - 1)} > {one}).all()", f"{self.pick(*ARRAYS)} is not None",
        )  # fmt: skip

    def any(self, depth=2):
        return self.pick(self.integer, self.array, self.list, self.array)(depth)

    def text(self):
        one, other = self.pick(*INTEGERS), self.pick(*INTEGERS)
        return f'f"{{{one}!r:>3}} {{{one} + {other}}}"'

    # ------------------------------------------------------------------ statements

    def program(self, size=8):
        """The text of a program."""
        head = (
            "import numpy as np\n"
            "class Box:\n    i = j = k = 1\n"
            "    def __init__(self):\n        self.a = np.arange(3.0)\n"
            "    def __enter__(self):\n        return self\n"
            "    def __exit__(self, *exc):\n        print('out', exc[0])\n"
            "    @property\n    def half(self):\n        return self.a / 2\n"
            "box, held = Box(), {'w': np.ones(3), 0: np.ones(2), 1: np.zeros(3)}\n"
            "i, j, k = 1, 2, 3\na, b, c = np.arange(3.0), np.ones(3), np.arange(3)\n"
            "p, q = [1, 2], [3, 4]\nf = g = h = lambda n: n\n"
        )
        return head + "\n".join(self.attempt(3) for _ in range(size)) + "\n"

    def attempt(self, depth):
        """A statement, after which the program mostly goes on."""
        text = self.statement(depth)
        if self.chance(0.2):
            return text
        inside = "\n".join("    " + line for line in text.split("\n"))
        return f"try:\n{inside}\nexcept Exception as error:\n    print(repr(error))"

    def block(self, depth, **inside):
        outer = {name: getattr(self, name) for name in inside}
        vars(self).update(inside)
        text = "\n".join(self.statement(depth - 1) for _ in range(self.random.randint(1, 3)))
        vars(self).update(outer)
        return "\n".join("    " + line for line in text.split("\n"))

    def statement(self, depth):
        if depth > 0 and self.chance(0.35):
            return self.compound(depth)
        name = self.pick(*ARRAYS)
        options = [
            f"{self.pick(*INTEGERS)} = {self.integer()}",
            f"{name} = {self.array()}",
            f"{self.pick(*LISTS)} = {self.list()}",
            f"{name} {self.pick('+', '-', '*', '/')}= {self.array(1)}",
            f"{self.pick(*INTEGERS)} += {self.integer(1)}",
            f"{name}[{self.pick('0', '1:', '...', 'i % 2')}] = {self.any(1)}",
            f"{name}[{self.pick('0', ':2', 'j')}] += {self.any(1)}",
            f"held[{self.pick(chr(39) + 'w' + chr(39), '0', 'i', 'k % 2')}] += {self.array(1)}",
            f"held['w' + ''] -= {self.any(1)}",
            f"box.a {self.pick('', '*')}= {self.array(1)}",
            f"{self.pick(*LISTS)}[{self.integer(1)}] += {self.integer(1)}",
            f"print({self.any()}, {self.any(1)})",
            f"print({self.text()}, locals().get({self.pick(*INTEGERS)!r}))",
            f"{self.pick(*LISTS)}.append({self.integer()})",
            f"{self.pick('i, j', 'a, (i, *p)', '*q, k')} = {self.any(1)}, {self.list(1)}",
            f"del {self.pick('q[0]', 'p[-1:]', 'k', 'b', 'box.i')}",
            f"assert {self.test()}, {self.text()}",
            f"{name} = {self.pick('i', 'box')}.{self.pick('half', 'a', 'missing', 'T')}",
            f"{name}.{self.pick('fill(i)', 'sort()', 'resize(3)', 'mean()', 'copy()')}",
            "raise ValueError(i) from KeyError(j)",
            self.any(),
        ]
        if self.in_function:
            options += [f"return {self.any()}"] * 2 + [f"i = yield {self.any(1)}"]
        if self.in_loop:
            options += ["break", "continue"]
        return self.random.choice(options)

    def compound(self, depth):
        block = self.block
        function = self.pick(*FUNCTIONS)
        kind = self.random.randrange(11)
        if kind == 0:
            return f"if {self.test()}:\n{block(depth)}\nelse:\n{block(depth)}"
        if kind == 1:
            target = self.pick("i", "i, j", "a", "box.i", "p[0]")
            over = self.pick(f"range({self.pick(2, 9, 40)})", f"list({self.any(1)})", "zip(p, q)")
            body = block(depth, in_loop=True)
            return f"for {target} in {over}:\n{body}\nelse:\n{block(depth)}"
        if kind == 2:
            body = block(depth, in_loop=True)
            return f"w = 0\nwhile (w := w + 1) < {self.pick(3, 30)} and {self.test()}:\n{body}"
        if kind == 3:
            star = self.pick("", "*")
            body = "\n".join(
                line for line in block(depth).split("\n")
                if not star or line.strip() not in ("break", "continue")
            )  # fmt: skip
            return (
                f"try:\n{body}\n    pass\nexcept{star} ({self.pick('ValueError', 'Exception')},) "
                f"as error:\n    print(type(error).__name__, error)\nfinally:\n    print('f')"
            )
        if kind == 4:
            return f"with box as {self.pick('a', 'c', 'box')}, Box():\n{block(depth)}"
        if kind in (5, 6, 7):
            declared = self.pick("", "    global i\n", "    '''Text.'''\n", "    global a, k\n")
            arguments = self.pick("n", "n, /, m=2, *r, o=3, **d", "b", "j=1")
            ahead = FUNCTIONS[: FUNCTIONS.index(function)]
            body = block(depth, in_function=True, in_loop=False, callable=ahead)
            coda = self.pick("    return b", "    pass", "    print(sorted(locals()))")
            calls = self.pick(
                f"print({function}({self.any(1)}))", f"print([*{function}({self.any(1)})])",
                f"for n in range({self.pick(2, 12)}):\n    {function}({self.any(1)})",
            )  # fmt: skip
            return f"def {function}({arguments}):\n{declared}{body}\n{coda}\n{calls}"
        if kind == 8:
            body = block(depth, in_function=False, in_loop=False)
            return f"class C(Box):\n    n = {self.any(1)}\n{body}\n    a = {self.any(1)}"
        if kind == 9:
            return (
                f"match {self.list(1)}:\n    case [int() as i, *p] if {self.test(1)}:\n"
                f"{block(depth).replace(chr(10), chr(10) + '    ').replace('    ', '        ', 1)}"
                f"\n    case _:\n        print('other')"
            )
        outer, self.callable = self.callable, FUNCTIONS[: FUNCTIONS.index(function)]
        made = f"{function} = lambda n, m=1: {self.any()}"
        self.callable = outer
        return f"{made}\nprint({function}({self.any(1)}))"
