"""Whole assessments of demo turns do not change, to three decimals."""

import json
from pathlib import Path
from typing import Any

import pytest

from klopt.scoring.profile import BUILT_IN, Profile
from tests.golden_write import FOLDER, make, read_list, rounded

ENTRIES = read_list()


def stored(name: str) -> dict[str, Any]:
    return json.loads((FOLDER / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("entry", ENTRIES, ids=[entry["name"] for entry in ENTRIES])
def test_golden(entry):
    found, expected = make(entry), rounded(stored(entry["name"]))
    assert list(found) == list(expected)
    for key, value in expected.items():
        assert found[key] == value, f"{key}; python -m tests.golden_write updates the goldens"


def test_every_file_is_listed():
    names = [entry["name"] for entry in ENTRIES]
    assert len(set(names)) == len(names)
    assert {path.stem for path in Path(FOLDER).glob("*.json")} == set(names)


def test_goldens_cover_all_rules_verdicts_and_statuses():
    rows = [(entry["profile"], stored(entry["name"])) for entry in ENTRIES]
    assert {profile for profile, _ in rows} == set(BUILT_IN)
    for profile in BUILT_IN:
        nodes = {node.node for node in Profile.load(profile).tree}
        for language in ("nl", "en"):
            rules = {
                row["rule"]
                for name, row in rows
                if (name, row["language"], row["status"]) == (profile, language, "scored")
            }
            assert rules == nodes, f"{profile}, {language}"
    found = [row for _, row in rows]
    assert {row["verdict"] for row in found} == {"send", "review", "block", "unscored"}
    assert {row["status"] for row in found} == {"scored", "not_scorable", "error"}
    assert {row["abstained"] for row in found} == {True, False}
