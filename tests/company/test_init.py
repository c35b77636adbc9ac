"""``klopt company init``: a folder made from help pages, and added to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from pathlib import Path

import pytest
import tomlkit
from click.testing import CliRunner

from klopt import Page, Scorer, Turn, lexicons
from klopt.cli.company import command
from klopt.company.entries import Entry, read
from klopt.company.finding import terms
from klopt.company.finding.abbreviations import find_abbreviations
from klopt.company.finding.names import find_names
from klopt.company.finding.pages import Found, HelpPage, read_help
from klopt.company.finding.style import find_style, with_entries
from klopt.company.finding.synonyms import find_synonyms
from klopt.company.finding.terms import find_terms
from klopt.company.folder import Company
from klopt.company.starting import start
from klopt.company.suggestions import Suggestions
from klopt.errors import CompanyError, ExtraMissingError, InputError
from klopt.lexicons.patterns import Pattern
from klopt.reading.reader import Reader

SUBJECTS = {
    "nl": ("Verlof", "Factuur", "Rooster", "Contract", "Rapport"),
    "en": ("Leave", "Invoice", "Roster", "Contract", "Report"),
}
PAGE = {
    "nl": """# {0} invoeren

Met Plano Balans voert u hier elke week iets in. Volgens Plano Balans is {1} nr{2} dan van u.
De teamleider kan {1} zien, vgl. tz.w. de regels. Het kloksaldo van {1} telt mee.
U vindt de kloksaldo's bij uw {1}, ook als tz.w. niets veranderde. Deze Kleur is een kleur.

Ga naar Beheer :: {0} :: Nieuw en klik op [{0} toevoegen].

1 - Open {0} en klik op [Nieuw].
2 - Vul bij [Datum] de datum in.
""",
    "en": """# Enter {0}

With Plano Balans you enter something here every week. In Plano Balans {1} nr{2} is then yours.
The team lead sees {1}, see tz.w. the rules. The clocktallies of {1} count.
You find the clocktallies with your {1}, even where tz.w. nothing changed. This Colour is a colour.

Go to Admin :: {0} :: New and click [Add {0}].

1 - Open {0} and click [New].
2 - Enter the date under [Date].
""",
}


def centre(language: str) -> list[Page]:
    """Help pages of five subjects, in a style of their own."""
    return [
        Page(PAGE[language].format(one, one.lower(), number), id=f"{one}.md", format="markdown")
        for number, one in enumerate(SUBJECTS[language])
    ]


@pytest.fixture(autouse=True)
def general(monkeypatch: pytest.MonkeyPatch) -> None:
    """The general language: all words of the pages but the company's own."""
    words = {
        word.strip(".,[]()").lower()
        for language in PAGE
        for page in centre(language)
        for word in page.text.split()
        if "klok" not in word and "clock" not in word
    }
    monkeypatch.setattr(terms, "general_words", lambda _: frozenset(words))


Find = Callable[[list[HelpPage], Reader], Found]


def found(find: Find, language: str, pages: Iterable[Page] | None = None) -> Found:
    reader = Reader(lexicons.load(language))
    return find(list(read_help(pages or centre(language), reader)), reader)


def names(entries: Iterable[Entry]) -> list[str]:
    return [one.name for one in entries]


@pytest.mark.parametrize(("language", "term"), [("nl", "kloksaldo"), ("en", "clocktallies")])
def test_terms_stand_in_the_form_that_the_pages_have_most(language: str, term: str):
    (entry,) = found(find_terms, language).entries
    assert entry.name == term
    assert entry.about.startswith("10 times on 5 pages: “")


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("U opent het kloksaldo{0} nu.", ["kloksaldo"]),
        ("U opent het kloksald. van week {0}.", []),  # an abbreviation cut
        ("U opent de Plano-klokdag{0} nu.", []),  # what a name leaves behind
        ("U opent het `kloksaldo` nu, {0}.", []),
        ("U opent het kloksaldo nu.", []),  # one sentence, on however many pages
    ],
)
def test_what_is_a_term(text: str, kept: list[str]):
    pages = [Page(text.format(" nu" * number), id=str(number)) for number in range(4)]
    own = [one for one in names(found(find_terms, "nl", pages).entries) if "klok" in one]
    assert own == kept


@pytest.mark.parametrize(("language", "doubtful"), [("nl", "Kleur"), ("en", "Colour")])
def test_names_recur_unmarked_inside_sentences(language: str, doubtful: str):
    names_ = found(find_names, language, [*centre(language), *some_marked()])
    assert names(names_.entries) == ["Plano Balans"]
    assert not names_.suggestions
    more = [Page(f"Week {n}, in deze {doubtful} nu.", id=f"x{n}") for n in range(3)]
    (open_,) = found(find_names, language, [*centre(language), *more]).suggestions
    assert open_.entry is not None
    assert open_.entry.name == doubtful


def some_marked() -> list[Page]:
    """A name that pages mark is of the screen; of one with a small tail only the head is a name."""
    text = "Nu ziet {0} de **Saldokaart** en hier Saldokaart, {0}, en een XY-bestand op Q."
    return [Page(text.format(word), id=word) for word in ("Jan", "Piet", "Klaas", "Truus")]


@pytest.mark.parametrize("language", ["nl", "en"])
def test_abbreviations_never_stand_without_their_full_stop(language: str):
    assert names(found(find_abbreviations, language).entries) == ["tz.w."]
    bare = Page("Zie tz.w hier.", id="bare")
    assert not found(find_abbreviations, language, [*centre(language), bare]).entries


@pytest.mark.parametrize("language", ["nl", "en"])
def test_style_is_what_finds_more(language: str):
    entries = found(find_style, language).entries
    assert names(entries) == ["square_brackets", "path_1", "number_and_dash"]
    assert "5 pages: “" in entries[0].about
    reader = Reader(with_entries(lexicons.load(language), entries))
    reading = next(read_help(centre(language), reader)).reading
    assert len(reading.guides[0].steps) == 2
    known = {"nl": {"beheer", "verlof toevoegen"}, "en": {"admin", "add leave"}}[language]
    assert known <= {one.key for one in reading.components}


@pytest.mark.parametrize("language", ["nl", "en"])
def test_every_way_to_mark_and_number_finds_its_example(language: str):
    from klopt.company.finding import style

    every = list(style._candidates(language))
    assert len(every) == len({entry.name for entry, _ in every}) == 22
    for entry, _ in every:
        pattern = Pattern.of({**(entry.pattern or {}), "group": entry.part})
        assert all(pattern.search(text) is not None for text in pattern.hit), entry.name
        assert all(pattern.search(text) is None for text in pattern.miss), entry.name


def test_nouns_beside_marked_names_and_verbs_that_open_steps():
    text = (
        "# {0}\n\nOpen de snelkaart **{0}** nu. Kies in de snelkaart **Dag {0}** iets.\n\n"
        "In de snelkaart {0} staat alles. De snelkaart is van u. U kunt hem vouwen.\n\n"
        "1. Vouw de lijst {0} uit.\n2. Vouw de kaart uit."
    )
    pages = [Page(text.format(one), id=one) for one in SUBJECTS["nl"]]
    entries = {one.name: one for one in found(find_style, "nl", pages).entries}
    assert set(entries) == {"own_step_verbs", "own_kinds_of_controls"}
    assert entries["own_step_verbs"].about.startswith("steps begin with vouw; finds")
    assert "stands snelkaart; finds" in entries["own_kinds_of_controls"].about


def test_nouns_behind_marked_names_in_english():
    text = (
        "# {0}\n\nOpen the **{0}** QuickPane. The **My {0}** QuickPane is new.\n\n"
        "Open the {0} QuickPane."
    )
    pages = [Page(text.format(one), id=one) for one in SUBJECTS["en"]]
    (entry,) = found(find_style, "en", pages).entries
    assert "stands QuickPane; finds" in entry.about


@pytest.mark.parametrize(
    ("text", "pair"),
    [
        ("In dit {0} vindt u de {1} van vandaag.", ("werkstroom", "workflow")),
        ("In dit {0} vindt u de {1} van vandaag.", ("menubalk", "zijbalk")),
        ("In dit {0} vindt u de {1} van vandaag.", ("inkooporder", "verkooporder")),
    ],
)
def test_synonyms_are_suggested_only_where_they_may_be_one_thing(text: str, pair: tuple[str, str]):
    pages = [
        Page(text.format(subject.lower(), word), id=f"{subject} {word}")
        for subject in SUBJECTS["nl"]
        for word in pair
    ]
    suggestions = found(find_synonyms, "nl", pages).suggestions
    assert [one.entry.words for one in suggestions if one.entry] == (
        [pair] if pair[0] == "werkstroom" else []
    )


def test_synonyms_do_not_stand_in_one_sentence():
    pages = [
        Page(f"In dit {one.lower()} vindt u de {word} van {other} nu.", id=f"{one}{word}")
        for one in SUBJECTS["nl"]
        for word, other in (("werkstroom", "workflow"), ("workflow", "werkstroom"))
    ]
    assert not found(find_synonyms, "nl", pages).suggestions


def made(folder: Path, language: str = "nl", *, update: bool = False):
    company = Company(folder, "Acme", (folder.parent / "help",))
    return start(company, centre(language), language, update=update)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_start_writes_a_folder_that_scores(tmp_path: Path, language: str):
    started = made(tmp_path / "acme", language)
    assert (started.before.guides, started.now.guides, started.now.pages) == (0, 5, 5)
    assert len(started.new) == 6
    company = Company.open(tmp_path / "acme")
    profile = company.load()
    assert (profile.name, "denied_names" in profile.review_on) == ("Acme", True)
    files = {one.name for one in profile.languages[language].lexicons}
    assert files == {"abbreviations.toml", "company_terms.toml", "components.toml"} | {
        "guides.toml",
        "product_names.toml",
    }
    assert all(one.about for one in read(company.path, language))
    question = {"nl": "Hoe voer ik verlof in?", "en": "How do I enter leave?"}[language]
    turn = Turn(question, "Plano Balans.", centre(language), language=language)
    assert Scorer(company.load()).score(turn).status == "scored"


def test_start_never_overwrites(tmp_path: Path):
    made(tmp_path / "acme")
    before = {one: one.read_bytes() for one in (tmp_path / "acme").rglob("*") if one.is_file()}
    with pytest.raises(CompanyError, match=r"nothing in it is overwritten; .* --update"):
        made(tmp_path / "acme")
    assert not made(tmp_path / "acme", update=True).new
    assert before == {one: one.read_bytes() for one in before}


def test_a_folder_that_cannot_be_made(tmp_path: Path):
    (tmp_path / "file").write_text("x", "utf-8")
    with pytest.raises(InputError, match="cannot be made"):
        made(tmp_path / "file" / "acme")


def test_update_adds_what_is_new_and_keeps_what_is_decided(tmp_path: Path):
    folder = tmp_path / "acme"
    made(folder)
    path = folder / "nl" / "product_names.toml"
    document = tomlkit.parse(path.read_text("utf-8"))
    document["lists"]["allowed"] = []  # type: ignore[index]
    path.write_text(tomlkit.dumps(document), "utf-8")
    profile = (folder / "profile.toml").read_text("utf-8").replace("# block_below", "block_below")
    (folder / "profile.toml").write_text(profile, "utf-8")
    started = made(folder, "en", update=True)
    assert len(started.new) == 6
    assert not [one for one in read(folder, "nl") if one.lexicon == "product_names"]
    again = (folder / "profile.toml").read_text("utf-8")
    assert again.startswith(profile.strip())
    assert set(Company.open(folder).load().languages) == {"nl", "en"}


def test_an_open_suggestion_that_was_rejected_stays_so(tmp_path: Path):
    folder = tmp_path / "acme"
    pages = [
        Page(f"In dit {one.lower()} vindt u de {word} nu pas.", id=f"{one}{word}")
        for one in SUBJECTS["nl"]
        for word in ("werkstroom", "workflow")
    ]
    company = Company(folder, "Acme", (tmp_path,))
    (open_,) = start(company, pages, "nl").open
    Suggestions.read(folder).decided([open_.id], "rejected").write()
    assert not start(company, pages, "nl", update=True).open


def test_without_wordfreq_terms_are_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def missing(_: str) -> frozenset[str]:
        raise ExtraMissingError("needs wordfreq: pip install 'klopt[terms]'")

    monkeypatch.setattr(terms, "general_words", missing)
    started = made(tmp_path / "acme")
    assert "klopt[terms]" in started.missing
    assert not (tmp_path / "acme" / "nl" / "company_terms.toml").exists()


def test_the_command(tmp_path: Path):
    for page in (*centre("nl"), *centre("en")[:2]):
        path = tmp_path / "help" / page.id
        path.parent.mkdir(exist_ok=True)
        path.with_stem(f"{path.stem}-{len(page.text)}").write_text(page.text, "utf-8")
    log = tmp_path / "chats.jsonl"
    log.write_text('{"question": "Hoe?", "answer": "Zo."}\n', "utf-8")
    given = ["init", "--pages", str(tmp_path / "help"), "--log", str(log), "-o"]
    run = CliRunner().invoke(command, [*given, str(tmp_path / "acme")])
    assert run.exit_code == 0, run.output
    assert "--language en --update -o" in run.output
    assert "steps on 5 (0 without this folder)" in run.output
    assert "1  words of your own: kloksaldo" in run.output
    assert "Rate 50 answers first" in run.output
    assert f"klopt score {tmp_path / 'chats.jsonl'} --pages" in run.output
    company = Company.open(tmp_path / "acme")
    assert (company.name, company.log) == ("acme", log)
    more = [*given, str(tmp_path / "acme"), "--language", "en", "--update"]
    run = CliRunner().invoke(command, more)
    assert run.exit_code == 0, run.output
    assert len(Company.open(tmp_path / "acme").page_folders) == 1


def test_a_log_that_is_not_there_is_told_and_fields_of_one_are_named_no_more(klopt, tmp_path: Path):
    (tmp_path / "verlof.md").write_text("# Verlof", "utf-8")
    given = ("company", "init", "--pages", tmp_path, "-o", tmp_path / "acme")
    run = klopt(*given, "--log", tmp_path / "weg.jsonl")
    assert (run.code, "does not exist" in run.err) == (2, True)
    run = klopt(*given, "--map", "question=vraag")
    assert "Note: only the pages are read to make a folder; leave it out." in run.err


def test_finding_takes_linear_time():
    """Ten times the text takes far less than a hundred times as long."""

    reader = Reader(lexicons.load("nl"))

    def seconds(times: int) -> float:
        text = "Het kloksaldo{0} van Plano Balans is [Nieuw], vgl. tz.w. de Kleur.\n\n"
        page = Page("".join(text.format("x" * (n % 7)) for n in range(times)), id="a")
        pages = list(read_help([page], reader))
        began = time.perf_counter()
        for find in (find_terms, find_names, find_abbreviations, find_style, find_synonyms):
            find(pages, reader)
        return time.perf_counter() - began

    seconds(20)
    assert seconds(300) < 40 * max(seconds(30), 0.01)
