"""Commands that change a company's folder at the same time, and harmful suggestions."""

import threading
from pathlib import Path

import pytest

from klopt._internal.files import lock
from klopt.company.folder import Company, held, read_names
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError

NAME = Suggestion("nl", "why", "Urenbriefje")
OTHER = Suggestion("nl", "why", "Roosterbord")
CHANGES = {
    "allow": ("allow", "{acme}", "Saldotegel"),
    "apply": ("suggest", "{acme}", "--apply", NAME.id),
    "check": ("check", "{acme}", "--accept"),
    "init": ("init", "--update", "--pages", "{pages}", "-o", "{acme}"),
    "suggest": ("suggest", "{acme}"),
}


def of(acme: Company, name: str) -> list[str]:
    filled = [one.format(acme=acme.path, pages=acme.page_folders[0]) for one in CHANGES[name]]
    return ["company", *filled]


def contents(folder: Path) -> dict[str, bytes]:
    return {str(one): one.read_bytes() for one in folder.rglob("*") if one.is_file()}


@pytest.mark.parametrize("name", CHANGES)
def test_a_command_waits_for_another_and_keeps_its_decisions(name, acme, klopt, monkeypatch):
    Suggestions(acme.path, (NAME, OTHER)).write()
    run = threading.Thread(target=klopt, args=of(acme, name))
    waits = threading.Event()

    def locking(*arguments, **options):
        waits.set()
        return lock(*arguments, **options)

    with held(acme.path):
        before = contents(acme.path)
        monkeypatch.setattr("klopt.company.folder.lock", locking)
        run.start()
        assert waits.wait(60)
        run.join(0.1)
        assert run.is_alive()
        assert contents(acme.path) == before
        Suggestions.read(acme.path).decided([OTHER.id], "accepted").write()
    run.join(60)
    assert Suggestions.read(acme.path)[OTHER.id].status == "accepted"
    assert OTHER.name in {one.name for one in read_names(acme.path, "nl")}


def test_a_suggestion_for_another_folder_or_lexicon_is_refused_or_skipped(acme, klopt):
    row = '[[suggestion]]\nid = "x"\nstatus = "open"\nwhy = ""\n'
    path = acme.path / "suggestions.toml"
    path.write_text(f'{row}language = "../../nl"\npage = "a"\n', "utf-8")
    problem = "is not one of en, nl"
    with pytest.raises(CompanyError, match=problem):
        Suggestions.read(acme.path)
    assert problem in klopt("company", "check", acme.path).out
    for lexicon in ("../../evil", "product_names"):
        named = f'lexicon = "{lexicon}"\npart = "allowed"\nwords = []\n'
        path.write_text(f'{row}language = "nl"\n{named}', "utf-8")
        assert Suggestions.read(acme.path).all == ()
