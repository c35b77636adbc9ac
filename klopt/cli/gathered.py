"""Several options that a command takes as one value."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import wraps
from typing import TYPE_CHECKING, Any, Concatenate, ParamSpec, TypeVar

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

    Value = TypeVar("Value", bound=DataclassInstance)
else:
    Value = TypeVar("Value")
P = ParamSpec("P")
R = TypeVar("R")

Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def gathered(
    kind: type[Value], options: Sequence[Option]
) -> Callable[[Callable[Concatenate[Value, P], R]], Callable[..., R]]:
    """A decorator that gives a command options, and their values as its first argument.

    Of two such decorators the lower one fills the first argument.

    Args:
        kind: A dataclass with a field for each option, by the option's name.
        options: In the order in which help lists them.
    """
    names = [one.name for one in fields(kind)]

    def decorate(function: Callable[Concatenate[Value, P], R]) -> Callable[..., R]:
        @wraps(function)
        def run(*before: P.args, **given: P.kwargs) -> R:
            own: dict[str, Any] = {name: given.pop(name) for name in names}
            return function(kind(**own), *before, **given)

        decorated: Callable[..., R] = run
        for option in reversed(options):
            decorated = option(decorated)
        return decorated

    return decorate
