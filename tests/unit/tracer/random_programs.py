"""Random programs of arrays, and random edits of them, for what must not depend on how a text came
to be run.

Every program is a list of statements that may be put in any order: what a statement needs and
doesn't find ends the program with an exception, which is as good a run as any.
"""

NAMES = ("a", "b", "c", "d")
FUNCTIONS = ("f", "g", "h")

STATEMENTS = (
    "{x} = np.arange({n}.0)",
    "{x} = np.ones(({n}, {m}))",
    "{x} = {y} * {n} + 1",
    "{x} = {y} @ {y}.T",
    "{x} += {n}",
    "{x}[0] = {n}",
    "{x} = {y}[:{n}]",
    "{x} = np.log({y} - {n})",
    "{x} = {fn}({y})",
    "print({x})",
    "print('{n}', {fn}({x}).sum())",
    "for i in range({n}):\n    {x} = {x} + {m}",
    "try:\n    {x} = {fn}({y})\nexcept (NameError, ValueError, TypeError) as error:\n"
    "    print(error)",
    "{x} = [{fn}(v) for v in (1.0, {n}.0)]",
    "with open('out{n}.txt', 'x') as file:\n    file.write('{m}')",
    "print(open('out{n}.txt').read())",
    "{x} = Point({n}).scaled({y})",
    "{x} = random.random()\nprint(round({x}, 3))",
    "{x} = lambda v: v + {n}",
    "assert {x} is not None, '{n}'",
    "{x} = np.random.rand({n})\nprint({x}.sum())",
)
DEFINITIONS = (
    "def {fn}(v):\n    w = v * {n}\n    return w + {m}",
    "def {fn}(v):\n    v += {n}\n    return v",
    "def {fn}(v, k={n}):\n    '''Text.'''\n    for i in range({m}):\n        v = v - k\n"
    "    return v",
    "def {fn}(v):\n    return {fn2}(v) * {n}",
    "def {fn}(v: np.ndarray) -> np.ndarray:\n    def inner(u):\n        return u / {n}\n"
    "    return inner(v)",
    "class Point:\n    scale = {n}\n    def __init__(self, x):\n        self.x = x\n"
    "    def scaled(self, v):\n        return v * self.scale * self.x",
)
COMMENTS = ("# {n}", "# {n}\n# {m}", "'{n}'")
HEAD = ["import random", "import numpy as np", "random.seed(1)", "np.random.seed(1)"]


def program(random, size=10):
    """The pieces of a random program."""
    return [*HEAD, *(piece(random) for _ in range(size))]


def piece(random):
    kind = random.choices((STATEMENTS, DEFINITIONS, COMMENTS), (6, 3, 1))[0]
    return random.choice(kind).format(
        x=random.choice(NAMES), y=random.choice(NAMES), n=random.randint(1, 4),
        m=random.randint(1, 3), fn=random.choice(FUNCTIONS), fn2=random.choice(FUNCTIONS),
    )  # fmt: skip


def edit(random, pieces):
    """Another program, one edit away."""
    pieces, where = list(pieces), random.randrange(len(HEAD), len(pieces) + 1)
    match random.choice(("insert", "delete", "change", "change", "move", "append")):
        case "insert":
            pieces.insert(where, piece(random))
        case "append":
            pieces.append(piece(random))
        case "delete":
            del pieces[where : where + 1]
        case "change":
            pieces[where : where + 1] = [piece(random)]
        case "move":
            moved = pieces[where : where + 1]
            del pieces[where : where + 1]
            to = random.randrange(len(HEAD), len(pieces) + 1)
            pieces[to:to] = moved
    return pieces


def edits(random, count, main=None):
    """A program and what becomes of it: a list of texts; now and then an edit is undone. ``main``:
    whether what isn't a definition is in a function, which the last statement calls."""
    versions = [program(random)]
    while len(versions) <= count:
        undone = len(versions) > 2 and random.random() < 0.2
        versions.append(random.choice(versions) if undone else edit(random, versions[-1]))
    return [in_main(pieces) if main else "\n".join(pieces) + "\n" for pieces in versions]


def in_main(pieces):
    """The text of a program whose statements are those of a function."""
    outside = [p for p in pieces if p.startswith(("import", "def", "class", "#"))]
    inside = [p for p in pieces if p not in outside] or ["pass"]
    body = "\n".join(inside).replace("\n", "\n    ")
    guard = 'if __name__ == "__main__":\n    main()\n'
    return "\n".join([*outside, f"def main():\n    {body}\n    return 0", guard])
