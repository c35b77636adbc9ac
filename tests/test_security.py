"""Each promise of SECURITY.md has tests; two of these tests are here."""

import ast
import asyncio
import hmac
import re
from typing import Any

import pytest

from klopt.scoring.setup import Setup
from klopt.server.gate import Gate
from klopt.server.settings import Address, Settings
from tests.conftest import ROOT, modules

TEXT = (ROOT / "SECURITY.md").read_text("utf-8")
PROMISED = TEXT.partition("## What it promises")[2].partition("\n## ")[0]
ROWS = [
    [cell.strip() for cell in line.strip("|").split(" | ")]
    for line in PROMISED.splitlines()
    if line.startswith("| ") and line != "| promise | tests |"
]
UNSAFE = {"cloudpickle", "dill", "joblib", "marshal", "pickle", "shelve", "yaml"}


def test_all_promises_are_in_tables():
    assert len(ROWS) > 25
    assert not re.search(r"^[-*] ", PROMISED, re.MULTILINE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_a_promise_names_existing_tests(row):
    promise, tests = row
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", tests)
    assert promise.endswith((".", ".)"))
    assert len(named) == tests.count("`") / 2 > 0
    for path, name in named:
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), name


def unsafe_in(module: ast.Module) -> list[str]:
    """The imports and calls of a module that can execute bytes or a text."""
    found = []
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None) or "", *(name.name for name in node.names)]
            found += [name for name in names if name.partition(".")[0] in UNSAFE]
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            pickled = any(ast.unparse(keyword) == "allow_pickle=True" for keyword in node.keywords)
            if called in {"eval", "exec", "compile", "__import__", "os.system"} or pickled:
                found.append(called)
    return found


@pytest.mark.parametrize(
    "source", ["import pickle", "from yaml import load", "eval(a)", "np.load(a, allow_pickle=True)"]
)
def test_unsafe_code_is_detected(source):
    assert unsafe_in(ast.parse(source))


def test_klopt_unpickles_and_evaluates_nothing():
    unsafe = {path.name: unsafe_in(module) for path, module in modules().items()}
    pickled_for_another_process = {"scorer.py": ["pickle"]}
    assert {name: found for name, found in unsafe.items() if found} == pickled_for_another_process


def test_a_token_is_compared_in_constant_time(monkeypatch):
    compared = []

    def compare(shown: bytes, token: bytes) -> bool:
        compared.append((shown, token))
        return False

    async def never(*_: Any) -> None:
        raise AssertionError

    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    monkeypatch.setattr(hmac, "compare_digest", compare)
    gate = Gate(never, (), Settings(Setup, Address(token="geheim", allowed_hosts=("",))))
    shown = b"Bearer geheim"
    scope = {"type": "http", "method": "GET", "path": "/metrics", "query_string": b""}
    asyncio.run(gate({**scope, "headers": [(b"authorization", shown)]}, never, send))
    assert compared == [(b"geheim", b"geheim")]
    assert sent[0]["status"] == 401
