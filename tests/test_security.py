"""Each promise of SECURITY.md has tests that hold it, and two that have no room of their own."""

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


def test_all_that_is_promised_is_in_the_tables():
    assert len(ROWS) > 25
    assert not re.search(r"^[-*] ", PROMISED, re.MULTILINE)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0][:60])
def test_a_promise_is_held_by_tests_that_are_there(row):
    promise, held_by = row
    named = re.findall(r"`(tests/[\w/]+\.py)::(test_\w+)`", held_by)
    assert promise.endswith((".", ".)"))
    assert len(named) == held_by.count("`") / 2 > 0
    for path, name in named:
        assert f"def {name}(" in (ROOT / path).read_text("utf-8"), name


def unsafe_in(module: ast.Module) -> list[str]:
    """What a module imports or calls by which bytes or a text would be run."""
    met = []
    for node in ast.walk(module):
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [getattr(node, "module", None) or "", *(name.name for name in node.names)]
            met += [name for name in names if name.partition(".")[0] in UNSAFE]
        elif isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            pickled = any(ast.unparse(keyword) == "allow_pickle=True" for keyword in node.keywords)
            if called in {"eval", "exec", "compile", "__import__", "os.system"} or pickled:
                met.append(called)
    return met


@pytest.mark.parametrize(
    "source", ["import pickle", "from yaml import load", "eval(a)", "np.load(a, allow_pickle=True)"]
)
def test_what_runs_bytes_would_be_seen(source):
    assert unsafe_in(ast.parse(source))


def test_klopt_unpickles_and_evaluates_nothing():
    unsafe = {path.name: unsafe_in(module) for path, module in modules().items()}
    sent_to_a_process_of_its_own = {"scorer.py": ["pickle"]}
    assert {name: met for name, met in unsafe.items() if met} == sent_to_a_process_of_its_own


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
