"""Python's parser in several threads."""

import ast

import pytest

from jit_lsp.doc.parsing import parse


def test_a_fault_of_threads_is_tried_again(monkeypatch):
    answers = [SystemError("AST constructor recursion depth mismatch")] * 3
    real = ast.parse

    def parse_once(*given, **named):
        if answers:
            raise answers.pop()
        return real(*given, **named)

    monkeypatch.setattr(ast, "parse", parse_once)
    assert ast.dump(parse("1 + x", mode="eval")) == ast.dump(real("1 + x", mode="eval"))


def test_a_fault_of_the_text_is_not():
    with pytest.raises(SyntaxError):
        parse("x = (")
