"""The value of an expression of whole numbers: + - * and division that must come out even."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from proctor.core import ProctorError

_OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
}


def evaluate(expression: str) -> int:
    """Return the value; anything but whole numbers, + - * // and brackets is refused, as is a remainder."""
    return _value(ast.parse(expression, mode="eval").body, expression)


def _value(node: ast.expr, expression: str) -> int:
    if isinstance(node, ast.Constant) and type(node.value) is int:
        return node.value
    if isinstance(node, ast.BinOp):
        left, right = _value(node.left, expression), _value(node.right, expression)
        if isinstance(node.op, ast.FloorDiv):
            if right == 0 or left % right:
                raise ProctorError(f"{expression!r}: {left} is not divisible by {right}")
            return left // right
        if type(node.op) in _OPERATORS:
            return _OPERATORS[type(node.op)](left, right)
    raise ProctorError(f"{expression!r} is not an expression of whole numbers")
