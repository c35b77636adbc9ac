"""An index gives the same scores as its pages, also in other processes."""

import os
import signal
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from klopt import Index, Page, Scorer, Turn
from klopt._internal.files import to_json
from klopt._internal.page_names import NamedPages
from klopt.errors import InputError
from tests.conftest import demo_rows
from tests.retrieval.conftest import built, opened


def scored(row, pages, scorer):
    return to_json(scorer.score(Turn.from_mapping(row, pages=pages)).to_dict())


@pytest.mark.parametrize("profile", ["default", pytest.param("afas", marks=pytest.mark.slow)])
@pytest.mark.parametrize("code", ["nl", "en"])
def test_turns_score_the_same(demo_pages, indexes, tmp_path, profile, code):
    pages, index = demo_pages[code], indexes[code]
    if profile == "afas":
        index = opened(tmp_path / "afas.klopt", built(pages, profile="afas"))
    plain, fast = Scorer.load(profile), Scorer.load(profile, index=index)
    rows = [row for row in demo_rows() if row["language"] == code][::2]
    assert rows
    for row in rows:
        expected = scored(row, pages, plain)
        assert scored(row, index, fast) == expected
        assert scored(row, pages, fast) == expected, "a page by its text is found too"


@pytest.mark.parametrize(
    ("text", "name", "is_known"),
    [
        ("---\ntitle: Prijzen van simkaarten\n---\n\nEen eSIM.", "prijzen van simkaarten", True),
        ('---\nid: x\ntitle: "Prijzen: sim"\n---\n\n# Kosten\n', "Prijzen: sim", True),
        ("---\nid: x\n---\n\n# Prijzen\n\nEen eSIM.", "Prijzen", True),
        ("---\nid: x\nsidebar_label: Kosten\n---\n\n# Prijzen\n\nEen eSIM.", "Kosten", False),
        ("+++\ntitle = 'Prijzen'\n+++\n\nEen eSIM.", "Prijzen", True),
        ("Vooraf.\n\n## **Prijzen** & [kosten](kosten.md)\n\n# Sim", "Prijzen & kosten", True),
        ("Vooraf.\n\n## **Prijzen** & [kosten](kosten.md)\n\n# Sim", "Sim", False),
        ("Prijzen\n=======\n\nEen eSIM.", "prijzen", True),
        ("# Prijzen in '26\n\nEen eSIM.", "Prijzen in ’26", True),
        ("<html><body><h1 id=a>Prijzen &amp;\n <b>sim</b></h1><p>Een eSIM.", "Prijzen & sim", True),
        ("Een eSIM: zie prijzen.", "prijzen", False),
    ],
)
def test_a_title_names_a_page_of_a_folder_and_of_an_index(tmp_path, text, name, is_known):
    pages = {"sim-1.md": Page(text, "sim-1.md"), "wifi.md": Page("# Wifi\n\nKlik op.", "wifi.md")}
    for known in (pages, opened(tmp_path / "help.klopt", built(pages))):
        assert (name in NamedPages(known)) == is_known
        if is_known:
            assert NamedPages(known)[name].id == "sim-1.md"


def test_a_title_that_the_search_returns_names_its_page(demo_pages, indexes):
    for code, index in indexes.items():
        for question in ("Hoe start ik een loonrun?", "How do I start a payroll run?"):
            for hit in index.search(question, 3, language=code):
                for pages in (demo_pages[code], index):
                    assert NamedPages(pages)[hit.title].id == hit.page.id


def test_an_unknown_page_is_read(indexes):
    index = indexes["nl"]
    assert index.find(Page("# Iets nieuws\n\nKlik op **Nieuw**."), "nl") is None
    page = next(iter(index.values()))
    assert index.find(page, "nl") is not None
    assert index.find(page, "en") is None


def test_an_index_is_read_without_pread(indexes, monkeypatch):
    expected = dict(indexes["nl"])
    monkeypatch.delattr("os.pread")
    assert dict(Index.open(indexes["nl"].path)) == expected


def test_a_closed_index_raises_an_error(indexes):
    index = Index.open(indexes["nl"].path)
    index.close()
    with pytest.raises(InputError, match=r"nl\.klopt: cannot be read: "):
        index[next(iter(index))]


def test_another_process_reports_a_moved_or_replaced_file(demo_pages, tmp_path):
    path = tmp_path / "help.klopt"
    scorer = Scorer.load(index=opened(path, built(demo_pages["nl"])), retrieve=1)
    turn = Turn("Hoe start ik een loonrun?", "Klik op **Turbo**.")
    context = get_context("spawn")
    with ProcessPoolExecutor(1, context) as pool:
        path.rename(tmp_path / "moved.klopt")
        with pytest.raises(InputError, match=r"help\.klopt: there is no such file"):
            pool.submit(scorer.score, turn).result()
        path.write_bytes(built(demo_pages["en"]))
        with pytest.raises(InputError, match="was replaced since it was sent to this process"):
            pool.submit(scorer.score, turn).result()
        (tmp_path / "moved.klopt").replace(path)
        assert pool.submit(scorer.score, turn).result() == scorer.score(turn)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_forked_process_does_not_wait_for_threads_of_its_parent(indexes):
    index = indexes["nl"]
    name = next(iter(index))
    with index._recent._lock:  # as another thread may during the fork
        child = os.fork()
        if not child:
            signal.alarm(60)
            os._exit(index[name].id not in name)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
