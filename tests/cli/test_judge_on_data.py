"""``klopt judge`` on the published data: agreement with people, per system."""

import json
import re

import pytest

AGREEMENT = {
    "gpt-4o-mini": ("0.9237", "0.6895"),
    "llama-3-70b": ("0.8653", "0.6945"),
    "llama-3-8b": ("0.8937", "0.7869"),
}
AGREES = re.compile(r"people on 141 answers: AUC (\S+), Pearson r (\S+)\.$", re.MULTILINE)


@pytest.fixture(scope="module")
def judged(klopt, data, tmp_path_factory):
    def run(*options):
        log = data / "techqa" / "dev.jsonl"
        if not log.is_file():
            pytest.skip(f"there is no {log}")
        lines = log.read_text("utf-8").splitlines(keepends=True)
        own = tmp_path_factory.mktemp("systems") / "own.jsonl"
        found = {}
        for system in AGREEMENT:
            own.write_text("".join(x for x in lines if json.loads(x)["system"] == system), "utf-8")
            ended = klopt("judge", own, *options)
            assert ended.code == 0
            found[system] = AGREES.findall(ended.err)[0]
        return found

    return run


def test_the_recorded_model_agrees_with_people_as_published(judged, data):
    recorded = data / "techqa" / "transcripts-gpt-4o-mini.jsonl"
    options = ("--solver", "recorded", "--transcripts", recorded, "--grading", "published")
    assert judged(*options) == AGREEMENT


def test_the_text_solver_reaches_its_floor(judged):
    areas = [float(area) for area, _ in judged().values()]
    assert len(areas) == 3
    assert sum(areas) / 3 >= 0.87
