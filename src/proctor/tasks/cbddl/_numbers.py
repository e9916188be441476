"""Numbers and angles. Nothing in a file is ever evaluated as code."""

from __future__ import annotations

import math
import re

_NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?", re.ASCII)
_ANGLE_TOKEN = re.compile(r"(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|pi|[-+*/]", re.ASCII)
_MAX_LENGTH = 64


def parse_number(text: str) -> float | None:
    """Return the finite decimal number written as ``text``, or None."""
    if len(text) > _MAX_LENGTH or not _NUMBER.fullmatch(text):
        return None
    value = float(text)
    return value if math.isfinite(value) else None


def parse_angle(text: str) -> float | None:
    """Return the angle in radians written as ``text``, or None.

    Grammar: ``angle = product {("+" | "-") product}``, ``product = value {("*" | "/") value}``,
    ``value = ["+" | "-"] (number | "pi")``; for example ``pi``, ``-pi/2``, ``3*pi/4``, ``pi-0.1``.
    """
    tokens = _angle_tokens(text.lower()) if len(text) <= _MAX_LENGTH else []
    try:
        value = _product(tokens)
        while tokens:
            sign = -1.0 if _take(tokens, "+-") == "-" else 1.0
            value += sign * _product(tokens)
    except (ValueError, ZeroDivisionError):
        return None
    return value if math.isfinite(value) else None


def _angle_tokens(text: str) -> list[str]:
    """Return the tokens of ``text`` last first, or nothing when a character belongs to none."""
    tokens = _ANGLE_TOKEN.findall(text)
    return tokens[::-1] if "".join(tokens) == text else []


def _take(tokens: list[str], allowed: str) -> str:
    if not tokens or tokens[-1] not in allowed:
        raise ValueError(allowed)
    return tokens.pop()


def _value(tokens: list[str]) -> float:
    sign = 1.0
    if tokens and tokens[-1] in "+-":
        sign = -1.0 if tokens.pop() == "-" else 1.0
    if not tokens:
        raise ValueError("value")
    token = tokens.pop()
    return sign * (math.pi if token == "pi" else float(token))


def _product(tokens: list[str]) -> float:
    value = _value(tokens)
    while tokens and tokens[-1] in "*/":
        value = value * _value(tokens) if tokens.pop() == "*" else value / _value(tokens)
    return value
