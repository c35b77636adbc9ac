"""``klopt score``: rows in, rows out, and every option."""

import subprocess
import sys


def test_in_a_process_of_its_own_from_a_file_or_a_pipe(klopt, company, tmp_path):
    arguments = ["--pages", str(company.pages), "-o", str(tmp_path / "scores.jsonl")]
    run = subprocess.run(
        [sys.executable, "-m", "klopt", "score", "-", *arguments],
        input=company.log.read_bytes(),
        capture_output=True,
        check=True,
    )
    said = run.stderr.decode()
    assert (run.stdout, said.startswith("5 answers: ")) == (b"", True)
    assert said.endswith(f"1 unscored. Written to {tmp_path / 'scores.jsonl'}.\n")
    assert [one.name for one in tmp_path.iterdir()] == ["scores.jsonl"]
    # With a counter on the terminal, which does not get into the rows.
    own = klopt("score", company.log, "--pages", company.pages, terminal_err=True)
    assert (own.code, own.out) == (0, (tmp_path / "scores.jsonl").read_text("utf-8"))
    assert [row["id"] for row in own.rows] == ["missing", "steps", "sum", "english", "nothing"]
    assert all(list(row) == list(own.rows[0]) for row in own.rows)
