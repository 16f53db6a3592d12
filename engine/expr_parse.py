"""Equations in index notation: from text to a tree.

A line is measured before anything is built from it (its length, its nesting), so hostile text is refused at once.

::

    equation    out "[" item {"," item} "]" "=" expression        item: a name or a number
    expression  or {"if" or "else" or}                            as in Python, from the right
    or          operators by rank, loosest first: or, and, not, comparisons, |, ^, &, << >>, + -, * / // %
    operand     {"-"} ( number | index | array "[" … "]" | function "(" … ")" | "(" expression ")" )
    function    sum, prod, max, min "(" name "," low ":" high "," expression ")"; max, min, abs, exp "(" … ")"
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import nearest
from engine.expr_scope import TruthError
from engine.expr_tree import (
    INT_MAX,
    Call,
    Chain,
    Choice,
    Compare,
    Index,
    Logic,
    Node,
    Number,
    Prefix,
    Range,
    Read,
)

MAX_LENGTH = 2000
"""Characters of one equation."""

MAX_DEPTH = 32
"""Brackets inside brackets, and operations inside operations."""

RANGES = ("sum", "prod", "max", "min")
FUNCTIONS = ("max", "min", "abs", "exp")
WORDS = ("if", "else", "and", "or", "not")
"""Words that cannot be names."""

_RANK = {"or": 1, "and": 2}
_RANK |= dict.fromkeys(("<", "<=", "==", "!=", ">=", ">"), 4)
_RANK |= {"|": 5, "^": 6, "&": 7, "<<": 8, ">>": 8, "+": 9, "-": 9, "*": 10, "/": 10, "//": 10, "%": 10}
_NOT, _COMPARE = 3, 4

_TOKEN = re.compile(
    r"(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(?P<name>[A-Za-z_][A-Za-z0-9_]*)"
    r"|(?P<mark>//|\*\*|<<|>>|<=|>=|==|!=|[-+*/%&|^<>=()\[\],:])",
    re.ASCII,
)

_INSTEAD = {
    "**": "powers are written as products: a[i]*a[i]",
    ";": "write each equation on a line of its own",
    "!": "write 'not'",
    "~": "write -1 - x, or x ^ -1",
    ".": "there are no attributes; a number needs a digit on both sides of its point",
    "−": "write the minus sign of the keyboard, '-'",
    "–": "write the minus sign of the keyboard, '-'",
    "×": "write '*'",
    "·": "write '*'",
    "÷": "write '//', or '/' for floats",
    "Σ": "write sum(k, 0:8, …)",
    "≤": "write '<='",
    "≥": "write '>='",
    "≠": "write '!='",
}


@dataclass(frozen=True, slots=True)
class Equation:
    """One parsed line. ``places`` are the left side's index names and whole numbers."""

    array: str
    places: tuple[str | int, ...]
    expression: Node


@dataclass(frozen=True, slots=True)
class _Token:
    kind: str
    text: str
    column: int


def parse_equation(line: str) -> Equation:
    """The equation in ``line``. Raises TruthError with a code, a message and a column."""
    if len(line) > MAX_LENGTH:
        raise TruthError(
            "truth-too-long",
            f"the equation has {len(line)} characters and {MAX_LENGTH} are allowed: split it by the left side's "
            "index, or shorten it with a range, sum(k, 0:8, …)",
            MAX_LENGTH,
        )
    _measure_depth(line)
    return _Parser(_tokens(line)).equation()


def _measure_depth(line: str) -> None:
    depth = 0
    for column, character in enumerate(line, 1):
        depth += (character in "([") - (character in ")]")
        if depth > MAX_DEPTH:
            raise _too_deep(column)


def _too_deep(column: int) -> TruthError:
    return TruthError(
        "truth-too-deep",
        f"nested more than {MAX_DEPTH} deep: remove brackets, or use a range, sum(k, 0:8, …)",
        column,
    )


def _tokens(line: str) -> list[_Token]:
    tokens, at = [], 0
    while at < len(line):
        if line[at] in " \t\r":
            at += 1
            continue
        match = _TOKEN.match(line, at)
        if match is None or match[0] == "**":
            text = match[0] if match else line[at]
            hint = _INSTEAD.get(text, "equations are of names, numbers, operators and brackets")
            raise TruthError("truth-operator", f"{text!r} is not allowed here: {hint}", at + 1)
        tokens.append(_Token(match.lastgroup or "", match[0], at + 1))
        at = match.end()
    tokens.append(_Token("end", "", len(line) + 1))
    return tokens


class _Parser:
    """Operator precedence over the tokens of one line; brackets are the only recursion."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.at = 0

    @property
    def now(self) -> _Token:
        return self.tokens[self.at]

    def take(self) -> _Token:
        token = self.now
        self.at += token.kind != "end"
        return token

    def is_next(self, text: str) -> bool:
        return self.now.kind != "end" and self.now.text == text

    def expect(self, text: str, what: str) -> None:
        if not self.is_next(text):
            raise self.unexpected(f"expected '{text}' {what}")
        self.take()

    def unexpected(self, expected: str) -> TruthError:
        token = self.now
        found = f"found '{token.text[:32]}'" if token.text else "the line ends"
        return TruthError("truth-syntax", f"{found}: {expected}", token.column)

    def equation(self) -> Equation:
        form = "an equation begins with an output and its indices: out[i] = …"
        array = self.now
        if array.kind != "name" or array.text in WORDS:
            raise self.unexpected(form)
        self.take()
        self.expect("[", f"after '{array.text[:32]}': {form}")
        places: list[str | int] = []
        while not places or self.is_next(","):
            if places:
                self.take()
            token = self.now
            if token.kind == "number" and token.text.isdigit():
                places.append(self._whole(token, INT_MAX))
            elif token.kind == "name" and token.text not in WORDS:
                places.append(token.text)
            else:
                raise self.unexpected("the left side's indices are names or whole numbers: out[i,j] or out[0]")
            self.take()
        self.expect("]", "after the left side's indices, which are plain names or whole numbers")
        if not self.is_next("="):
            raise self.unexpected("expected '=' after the left side")
        self.take()
        expression = self.expression()
        if self.now.kind != "end":
            raise self.unexpected("expected an operator (equality is '==') or the end of the line")
        return Equation(array.text, tuple(places), expression)

    def expression(self) -> Node:
        node = self.operators(1)
        arms: list[tuple[Node, Node, int]] = []
        while self.is_next("if"):
            column = self.take().column
            test = self.operators(1)
            self.expect("else", "after the condition: x if condition else y")
            arms.append((node, test, column))
            node = self.operators(1)
        for then, test, column in reversed(arms):
            node = Choice(column, _depth(column, then, test, node), then, test, node)
        return node

    def operators(self, least: int) -> Node:
        node = self.prefixed(least)
        while (rank := self._rank()) >= least:
            column = self.now.column
            rest = []
            while self._rank() == rank:
                rest.append((self.take().text, self.operators(rank + 1)))
            operands = [operand for _, operand in rest]
            depth = _depth(column, node, *operands)
            if rank < _NOT:
                node = Logic(column, depth, rest[0][0], (node, *operands))
            else:
                node = (Compare if rank == _COMPARE else Chain)(column, depth, node, tuple(rest))
        return node

    def _rank(self) -> int:
        return _RANK.get(self.now.text, 0)

    def prefixed(self, least: int) -> Node:
        prefix = self.now
        if not (self.is_next("-") or self.is_next("not")):
            return self.operand()
        if prefix.text == "not" and least > _NOT:
            raise self.unexpected("put 'not …' in brackets here")
        count = 0
        while self.is_next(prefix.text):
            self.take()
            count += 1
        if prefix.text == "-" and self.now.kind == "number":
            node, count = self.number(-1), count - 1
        else:
            node = self.operand() if prefix.text == "-" else self.operators(_COMPARE)
        for _ in range(count):
            node = Prefix(prefix.column, _depth(prefix.column, node), prefix.text, node)
        return node

    def operand(self) -> Node:
        token = self.now
        if token.kind == "number":
            return self.number(1)
        if token.kind == "name" and token.text not in WORDS:
            self.take()
            if self.is_next("("):
                return self.call(token)
            if self.is_next("["):
                self.take()
                places = self.arguments("]")
                return Read(token.column, _depth(token.column, *places), token.text, places)
            return Index(token.column, 1, token.text)
        if self.is_next("("):
            self.take()
            node = self.expression()
            self.expect(")", "to close the bracket")
            return node
        raise self.unexpected("expected a number, an index, a[…], a function or '('")

    def arguments(self, end: str) -> tuple[Node, ...]:
        nodes = [self.expression()]
        while self.is_next(","):
            self.take()
            nodes.append(self.expression())
        if self.is_next(":"):
            raise self.unexpected("a range stands in sum, prod, max or min after its name: sum(k, 0:8, a[k])")
        self.expect(end, "or ',' here")
        return tuple(nodes)

    def number(self, sign: int) -> Node:
        token = self.take()
        if token.text.isdigit():
            return Number(token.column, 1, sign * self._whole(token, INT_MAX + (sign < 0)))
        # Compared before conversion, so that no huge power of ten is ever made.
        number = float(token.text) if len(token.text) <= 40 else float("inf")
        if number > 3.4e38:
            raise TruthError("truth-number", f"{token.text[:32]} is more than float32 holds (3.4e38)", token.column)
        return Number(token.column, 1, sign * number)

    def _whole(self, token: _Token, most: int) -> int:
        if len(token.text) > 10 or int(token.text) > most:
            raise TruthError(
                "truth-number", f"{token.text[:32]} is more than a 32-bit word holds ({most})", token.column
            )
        return int(token.text)

    def call(self, name: _Token) -> Node:
        function = name.text
        if function not in RANGES and function not in FUNCTIONS:
            known = sorted({*RANGES, *FUNCTIONS})
            hint = nearest(function[:32], known)
            raise TruthError(
                "truth-function",
                f"there is no function '{function[:32]}'; known are: {', '.join(known)}"
                + (f"; did you mean '{hint}'?" if hint else "; a word of an array is read as a[i]"),
                name.column,
            )
        self.take()
        if function not in FUNCTIONS or (function in RANGES and self._range_ahead()):
            return self.range(name)
        arguments = self.arguments(")")
        wanted = 1 if function in ("abs", "exp") else 2
        if len(arguments) < wanted or (wanted == 1 and len(arguments) > 1):
            form = f"{function}(a)" if wanted == 1 else f"{function}(a, b) or {function}(k, 0:8, a[k])"
            raise TruthError("truth-function", f"{function} has {len(arguments)} arguments: write {form}", name.column)
        return Call(name.column, _depth(name.column, *arguments), function, arguments)

    def range(self, function: _Token) -> Node:
        form = f"a range is written {function.text}(k, 0:8, a[k])"
        name = self.now
        if name.kind != "name" or name.text in WORDS:
            raise self.unexpected(form)
        self.take()
        self.expect(",", f"after '{name.text[:32]}': {form}")
        low = self.expression()
        self.expect(":", f"between the range's ends: {form}")
        high = self.expression()
        self.expect(",", f"after the range: {form}")
        body = self.expression()
        self.expect(")", f"to close {function.text}(…)")
        depth = _depth(function.column, low, high, body)
        return Range(function.column, depth, function.text, name.text, low, high, body)

    def _range_ahead(self) -> bool:
        """Whether a ':' stands in the second argument, which tells max(k, 0:8, …) from max(a, b)."""
        depth = commas = 0
        for token in self.tokens[self.at :]:
            if token.text in ("(", "["):
                depth += 1
            elif token.text in (")", "]"):
                depth -= 1
            commas += depth == 0 and token.text == ","
            if depth < 0 or commas > 1:
                return False
            if depth == 0 and token.text == ":":
                return commas == 1
        return False


def _depth(column: int, *nodes: Node) -> int:
    depth = 1 + max(node.depth for node in nodes)
    if depth > MAX_DEPTH:
        raise _too_deep(column)
    return depth
