"""``doctor``, ``company terms`` and ``demo``."""

import os
import re
import subprocess
import sys

from klopt.version import VERSION

# doctor


def test_doctor(klopt):
    run = klopt("doctor", "--format", "table")
    assert (run.code, run.err) == (0, "")
    assert run.out.startswith(f"klopt {VERSION}\n")
    for word in ("spacy 3.8", "klopt (bundled)", "profile afas", "profile default", "CC BY-SA 4.0"):
        assert word in " ".join(run.out.split())
    assert run.out.endswith("All tables and bundled pipelines load.\n")


# company terms


def test_company_terms_of_pages_in_two_languages(klopt, company, tmp_path):
    (tmp_path / "a.md").write_text("Het dossier van de zeppelin staat in de map.", "utf-8")
    (tmp_path / "b.md").write_text("Je vindt de zeppelin in het dossier.", "utf-8")
    (tmp_path / "c.md").write_text("You will find the blimpery in the folder.", "utf-8")
    run = klopt("company", "terms", "--pages", tmp_path)
    assert run.code == 0
    assert run.err.startswith(
        f"Warning: {tmp_path}: 1 page in en left out: terms are of one language; --language en "
        "extracts those\n2 pages, "
    )
    assert "blimpery" not in run.out
    english = klopt("company", "terms", "--pages", tmp_path, "--language", "en")
    assert '"blimpery"' in english.out
    assert "zeppelin" not in english.out


# demo


def test_the_demo_gives_the_same_bytes_in_every_process(klopt, tmp_path):
    """Another process, another hash seed, another folder: the same bytes."""
    own = subprocess.run(
        [sys.executable, "-m", "klopt", "demo", "--format", "jsonl"],
        capture_output=True,
        check=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONHASHSEED": "1", "LC_ALL": "C", "TZ": "Asia/Tokyo"},
    )
    run = klopt("demo", "--format", "jsonl")
    assert (run.code, run.err, own.stderr) == (0, "", b"")
    assert run.out.encode() == own.stdout
    assert len(run.rows) == len({row["id"] for row in run.rows})
    assert {row["language"] for row in run.rows} == {"nl", "en"}
    assert all(row["status"] != "error" for row in run.rows)
    assert list(tmp_path.iterdir()) == []


def test_the_demo_ends_on_three_answers_and_what_to_type_next(klopt):
    run = klopt("demo", terminal=True, COLUMNS="80")
    said = re.sub(r"\x1b\[[\d;]*m", "", run.out)
    lines = said.splitlines()
    assert (run.code, max(map(len, lines)) <= 80) == (0, True)
    shown = [line.split()[1] for line in lines if re.match(r"demo-\d+: \w+ ─", line)]
    assert shown == ["block", "review", "send"]
    assert [line.split()[:2] for line in lines[-3:]] == [
        ["klopt", "explain"],
        ["klopt", "score"],
        ["klopt", "evaluate"],
    ]
    words = " ".join(said.split())
    assert re.search(
        r"Of \d+ answers that a person rated 1 or 2, \d+ would be sent; of \d+ ", words
    )
    assert re.search(r"klopt names a fault in \d+ of those \d+ untrue answers, and misses", words)
