"""``klopt evaluate --metrics``: figures against a reference answer, as columns beside the score."""

from __future__ import annotations

import pytest

from tests.cli.column_rows import STEPS, columns, rated, refused

NAMES = "bleu,rouge_l,reference_check"


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("metrics")


@pytest.fixture(scope="module")
def log(folder, write):
    return write(folder / "rated.jsonl", *rated(reference=lambda _: STEPS))


@pytest.fixture(scope="module")
def run(klopt, company):
    def start(file, *arguments, **settings):
        options = ("--pages", company.pages, "--profile", "afas", "--resamples", 100)
        return klopt("evaluate", file, *options, *arguments, **settings)

    return start


def test_figures_become_columns(run, log):
    found = run(log, "--metrics", NAMES)
    assert (found.code, found.err) == (0, "")
    assert list(columns(found)) == NAMES.split(",")
    for one in columns(found).values():
        assert (one["n"], one["missing_count"]) == (12, 0)
        assert one["spearman"]["value"] > 0


def test_they_are_those_of_judge(klopt, run, log, folder, company):
    judged = folder / "judged.jsonl"
    klopt(
        *("judge", log, "--pages", company.pages, "--metrics", "bleu,rouge_l", "-o", judged),
    )
    beside = columns(run(log, "--metrics", NAMES))
    joined = columns(run(log, "--with", judged))
    assert list(joined) == ["text", "bleu", "rouge_l"]
    for own, other in (("bleu", "bleu"), ("rouge_l", "rouge_l"), ("reference_check", "text")):
        assert beside[own]["spearman"] == joined[other]["spearman"]
        assert beside[own]["auc"] == joined[other]["auc"]


def test_figures_alone_are_joined_without_a_column_of_no_scores(klopt, run, log, folder):
    judged = folder / "alone.jsonl"
    klopt("judge", log, "--solver", "none", "--metrics", "bleu", "-o", judged)
    assert list(columns(run(log, "--with", judged))) == ["bleu"]


def test_names_that_clash_are_told_apart(run, log):
    assert list(columns(run(log, "--metrics", "bleu", "--column", "bleu"))) == [
        f"bleu ({log.name})",
        "bleu (--metrics)",
    ]


def test_a_person_sees_them_and_a_bar(run, log):
    found = run(log, "--metrics", NAMES, terminal=True)
    assert "Agreement with people, score by score" in found.out
    assert "reference_check" in found.out
    assert "Measuring" in found.err


def test_retrieval(run, folder, write):
    pages = lambda index: [["opslaan", "apparaten/printer"][index % 2]]  # noqa: E731
    rows = rated(contexts=pages, right_page=lambda _: "opslaan.md")
    log = write(folder / "right.jsonl", *rows)
    found = columns(run(log, "--metrics", "retrieval_top_1", "--gold-field", "right_page"))
    assert found["retrieval_top_1"]["n"] == 12


def test_without_references_it_is_said_why(run, folder, write):
    log = write(folder / "none.jsonl", *rated())
    found = run(log, "--metrics", NAMES)
    assert found.code == 0
    assert found.err == (
        "Warning: --metrics: no row has a value for bleu, rouge_l; the first: there is no "
        "reference answer\n"
        "Warning: --metrics: no row has a value for reference_check; the first: the row has no "
        "reference answer\n"
    )
    assert {one["missing_count"] for one in columns(found).values()} == {12}


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ("--metrics", "bleu,g_eval"),
            "--metrics: g_eval.readability asks a model, which klopt evaluate does not. Run klopt "
            "judge {log} --metrics g_eval --model NAME -o judged.jsonl, and give --with "
            "judged.jsonl here.",
        ),
        (
            ("--metrics", "retrieval"),
            '--gold-field: no row of {log} has a field "gold_context". Did you mean "contexts"? '
            "The fields are id, question, answer, contexts, rating, bleu, meta, reference.",
        ),
        (
            ("--metrics", "bert_score"),
            "bert_score needs --bert-model DIR: the folder of a model on this machine.",
        ),
        (("--bert-layer", "2"), "--bert-layer has no use without --metrics bert_score."),
    ],
)
def test_what_cannot_be(run, log, options, message):
    refused(run(log, *options), message.format(log=log))


def test_an_unknown_name(run, log):
    found = run(log, "--metrics", "blue")
    assert (found.code, found.out) == (2, "")
    assert found.err.startswith('Error: metric "blue" is not known. Did you mean "bleu"?')


def test_a_right_page_that_is_none_counts_as_missing(run, folder, write):
    log = write(folder / "odd.jsonl", *rated(gold_context=lambda index: index or "opslaan.md"))
    found = run(log, "--metrics", "retrieval_top_1")
    assert (found.code, found.err) == (0, "")
    assert columns(found)["retrieval_top_1"]["missing_count"] == 11
