"""Product names and suggestions, added to files and removed from them."""

import pytest

from klopt.company.folder import ProductName, add_names, names_file, read_names
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError, LexiconError
from klopt.lexicons import read_lexicon

LEAVE = ProductName("Verlofsaldo", origin="31 times: “Uw Verlofsaldo ...”")
OLD = ProductName("Werkbank", "denied")
NAMED = Suggestion("nl", "on no page", name="Verlofsaldo", examples=("Een zin.",), answers=("a",))
OTHER = Suggestion("nl", "on no page", name="Zorgverlof")
PAGE = Suggestion("nl", "2 answers contradict this page", page="verlof.md")


def test_names_are_added_once_sorted_with_their_origin_and_keep_comments(tmp_path):
    add_names(tmp_path, "nl", [LEAVE, OLD])
    file = names_file(tmp_path, "nl")
    file.write_text(file.read_text("utf-8").replace("[lists]", "# ours\n[lists]"), "utf-8")
    add_names(tmp_path, "nl", map(ProductName, ("Zorgverlof", "Aanvraag", "Verlofsaldo")))
    lexicon = read_lexicon(file)
    assert lexicon.language == "nl"
    assert lexicon.lists["allowed"] == ("Aanvraag", "Verlofsaldo", "Zorgverlof")
    assert lexicon.lists["denied"] == ("Werkbank",)
    text = file.read_text("utf-8")
    assert "# ours" in text
    assert 'Verlofsaldo = "31 times: “Uw Verlofsaldo ...”"' in text


def test_an_invalid_name_changes_nothing(tmp_path):
    add_names(tmp_path, "nl", [OLD])
    before = names_file(tmp_path, "nl").read_bytes()
    with pytest.raises(LexiconError, match=r"product_names\.toml"):
        add_names(tmp_path, "nl", [ProductName("")])
    assert names_file(tmp_path, "nl").read_bytes() == before


def test_suggestions_keep_their_decisions(tmp_path):
    own = Suggestions(tmp_path, (NAMED, OTHER, PAGE))
    own.write()
    again = Suggestions.read(tmp_path)
    assert again == own
    again.decided([NAMED.id, PAGE.id], "accepted").write()
    assert [one.name for one in read_names(tmp_path, "nl")] == ["Verlofsaldo"]
    found = Suggestions.read(tmp_path).updated([Suggestion("nl", "again", name="Verlofsaldo")])
    status = {one.id: one.status for one in found.all}
    assert status == {NAMED.id: "accepted", PAGE.id: "accepted"}
    assert found[NAMED.id].why == "again"
    back = found.decided([NAMED.id], "open")
    assert not read_names(tmp_path, "nl")
    assert [one.id for one in back.open] == [NAMED.id]


def test_an_unknown_id_and_an_invalid_file_are_errors(tmp_path):
    with pytest.raises(CompanyError, match="open suggestions: none"):
        Suggestions.read(tmp_path)["term-1"]
    (tmp_path / "suggestions.toml").write_text("[[suggestion]]\nid = 3\n", "utf-8")
    with pytest.raises(CompanyError, match=r"suggestions\.toml:2: .* id: 3 is not"):
        Suggestions.read(tmp_path)
