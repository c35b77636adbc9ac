"""Moments of writing: every statement of the modules that write counts, and one may be the last.

So the n-th moment is the same in each run, and a seed chooses the same ones. The modules are
compiled with a call before each statement, which costs a run nothing, as tracing it would.
"""

from __future__ import annotations

import ast
import builtins
import os
import signal
import sys
from collections.abc import Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from types import CodeType, ModuleType
from typing import Any

WRITING = (
    "klopt.appended_file",
    "klopt.batch.going_on",
    "klopt.batch.output",
    "klopt.models.transcripts",
    "klopt.translation.memory",
)
_NAME = "_moment_of_writing"
_BODIES = ("body", "orelse", "finalbody")


class Moments:
    """Counts the moments of this process, and kills it at the stated one."""

    count = 0
    fatal = 0

    def pass_by(self) -> None:
        self.count += 1
        if self.count == self.fatal:
            os.kill(os.getpid(), signal.SIGKILL)


MOMENTS = Moments()


def watch() -> None:
    """Compiles the modules that write with their moments; before any of them is imported."""
    assert not sys.modules.keys() & {*WRITING}
    setattr(builtins, _NAME, MOMENTS.pass_by)
    sys.meta_path.insert(0, _Finder())  # type: ignore[arg-type]


class _Finder:
    def find_spec(
        self, name: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name not in WRITING:
            return None
        spec = PathFinder.find_spec(name, path, target)
        assert spec is not None
        assert spec.origin is not None
        spec.loader = _Loader(name, spec.origin)
        return spec


class _Loader(SourceFileLoader):
    def get_code(self, fullname: str) -> CodeType:
        tree = ast.parse(self.get_data(self.path))
        for function in ast.walk(tree):
            if isinstance(function, ast.FunctionDef):
                for node in ast.walk(function):
                    for name in _BODIES:
                        if isinstance(body := getattr(node, name, None), list):
                            setattr(node, name, _interleaved(body))
        code: Any = compile(ast.fix_missing_locations(tree), self.path, "exec")
        return code


def _interleaved(body: list[ast.stmt]) -> list[ast.stmt]:
    call = ast.parse(f"{_NAME}()").body
    return [each for statement in body for each in (*call, statement)]
