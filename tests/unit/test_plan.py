"""How one text begins like another, statement by statement."""

import pytest

from jit_lsp.plan import Outline, Unreadable, edited, plan

F1, F2 = "def f():\n    return 1\n", "def f():\n    return 2\n"
CLASS = "class A:\n    '''Text.'''\n    size = 3\n    def g(self):\n        return f()\n"
MAIN = "def main():\n    a = 1\n    b = a + 1\n    print({})\n"


def planned(old, left, new):
    before = Outline(old)
    return plan(before, left, Outline(new, before))


@pytest.mark.parametrize(
    ("old", "left", "new", "known"),
    [
        ("a = 1\nb = 2\n", (1, 0), "a = 1\nb = 3\n", (0,)),
        ("a = 1\nb = 2\n", (1, 0), "# c\na  =  1\nc = 3\nb = 2\n", (0,)),
        ("a = 1\nb = 2\n", (1, 0), "a = 2\nb = 2\n", None),
        ("a = 1\nb = 2\n", (2, 0), "a = 1\n", None),
        ("a = 1; b = 2\nc = 3\n", (2, 0), "a = 1; b = 2\nc = 4\n", (0, 1)),
        (F1 + "a = 1\nf()\n", (2, 0), F2 + "a = 1\nf()\n", (None, 1)),
        (F1 + "a = 1\nf()\n", (2, 0), "a = 1\n" + F1 + "f()\n", (1, None)),
        (F1 + "a = f()\nb = 1\n", (2, 0), F2 + "a = f()\nb = 1\n", None),
        (F1 + CLASS + "a = 1\nb = 1\n", (3, 0), F2 + CLASS + "a = 1\nb = 2\n", (None, 1, 2)),
        (F1 + CLASS + "a = A()\nb = 1\n", (3, 0), F2 + CLASS + "a = A()\nb = 1\n", None),
        (F1 + "a = vars()\nb = 1\n", (2, 0), F2 + "a = vars()\nb = 1\n", None),
        (F1 + "f = 1\nb = 1\n", (2, 0), F2 + "f = 1\nb = 1\n", None),
        ("@d\n" + F1 + "a = 1\nb = 1\n", (2, 0), "@d\n" + F2 + "a = 1\nb = 1\n", None),
        ("import a\na.b()\nc = 1\n", (2, 0), "import a\na.b()\na = 1\n", None),
        ("x = len(y)\nc = 1\n", (1, 0), "x = len(y)\nlen = 1\n", None),
        ("x = len(y)\nc = 1\n", (1, 0), "x = len(y)\nd = 1\n", (0,)),
        (MAIN.format(1) + "main()\n", (1, 2), MAIN.format(2) + "main()\n", (0, 1)),
        (MAIN.format(1) + "main()\n", (1, 2), MAIN.format(2) + "main(3)\n", None),
        (MAIN.format(1) + "main()\n", (1, 3), MAIN.format(2) + "main()\n", None),
    ],
)
def test_what_is_known(old, left, new, known):
    found = planned(old, left, new)
    assert (found and found.known) == known


def test_what_is_run_and_what_is_gone():
    found = planned(F1 + CLASS + "a = 1\nb = 2\n", (3, 0), "a = 1\ndef h(): pass\nb = 2\n")
    assert (found.known, found.new, found.gone) == ((2, None), (1,), ("f", "A"))
    found = planned(MAIN.format(1) + "main()\n", (1, 1), F1 + MAIN.format("f()") + "main()\n")
    assert (found.known, found.new, found.inside, found.whole) == (
        (None, 0, 1),
        (0, 1),
        True,
        False,
    )


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ("a = 1\nb = 2\n", "a = 1\nb = 3\n", (1, 0)),
        ("a = 1\n", "a = 1\nb = 3\n", (1, 0)),
        ("a = 1\nb = 2\n", "a = 1\n", None),
        ("a = 1\n", "a  = 1\n", None),
        (F1 + "a = 1\nb = 2\nf()\n", F2 + "a = 1\nb = 2\nf()\n", (3, 0)),
        (F1 + "a = 1\n", F2 + "a = 1\n", None),
        (MAIN.format(1) + "main()\n", MAIN.format(2) + "main()\n", (1, 2)),
    ],
)
def test_where_an_edit_has_its_effect(old, new, place):
    before = Outline(old)
    assert edited(before, Outline(new, before)) == place


@pytest.mark.parametrize("text", ["a = (", "\0", "x = " + "(" * 1000])
def test_what_is_no_python(text):
    with pytest.raises(Unreadable):
        Outline(text)
