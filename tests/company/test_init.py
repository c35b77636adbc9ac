"""``klopt company init``: a folder made from help pages, and its updates."""

from pathlib import Path

import pytest
import tomlkit

from klopt import Page, Scorer, Turn, lexicons
from klopt.company.folder import Company, ProductName, read_names
from klopt.company.starting import names_on_pages, start
from klopt.company.suggestions import Suggestion, Suggestions
from klopt.errors import CompanyError
from klopt.text.reader import Reader
from tests.cli.conftest import write_log
from tests.growth.growing import assert_linear

SUBJECTS = {
    "nl": ("Verlof", "Factuur", "Rooster", "Contract", "Rapport"),
    "en": ("Leave", "Invoice", "Roster", "Contract", "Report"),
}
PAGE = {
    "nl": """# {0} invoeren

Met Plano Balans voert u hier elke week iets in. Volgens Plano Balans is {1} nr{2} dan van u.
De teamleider kan {1} zien. Deze Kleur is een kleur. Nu ziet u van {1} de **Saldokaart {2}**.
""",
    "en": """# Enter {0}

With Plano Balans you enter something here every week. In Plano Balans {1} nr{2} is then yours.
The team lead sees {1}. This Colour is a colour. Now you see the **Balance Card** of {1}.
""",
}


def help_centre(language: str) -> list[Page]:
    """Return help pages on five subjects."""
    return [
        Page(PAGE[language].format(one, one.lower(), number), id=f"{one}.md", format="markdown")
        for number, one in enumerate(SUBJECTS[language])
    ]


def names(pages: list[Page], language: str) -> list[ProductName]:
    return names_on_pages(pages, Reader(lexicons.load(language)))


def made(folder: Path, language: str = "nl", *, update: bool = False) -> tuple[ProductName, ...]:
    company = Company(folder, "Acme", (folder.parent / "help",))
    return start(company, help_centre(language), language, update=update)


@pytest.mark.parametrize("language", ["nl", "en"])
def test_init_writes_a_folder_that_scores(tmp_path, language):
    assert [one.name for one in made(tmp_path / "acme", language)] == ["Plano Balans"]
    company = Company.open(tmp_path / "acme")
    profile = company.load()
    assert (profile.name, "denied_names" in profile.review_on) == ("Acme", True)
    (file,) = profile.languages[language].lexicons
    assert "10 times on 5 pages" in file.read_text("utf-8")
    question = {"nl": "Hoe voer ik verlof in?", "en": "How do I enter leave?"}[language]
    turn = Turn(question, "Plano Balans.", help_centre(language), language=language)
    assert Scorer(profile).score(turn).status == "scored"


def test_init_never_overwrites(tmp_path):
    made(tmp_path / "acme")
    before = {one: one.read_bytes() for one in (tmp_path / "acme").rglob("*") if one.is_file()}
    with pytest.raises(CompanyError, match=r"does not overwrite it; .* --update"):
        made(tmp_path / "acme")
    assert not made(tmp_path / "acme", update=True)
    assert before == {one: one.read_bytes() for one in before}


def test_an_update_adds_new_names_and_keeps_decisions(tmp_path):
    folder = tmp_path / "acme"
    made(folder)
    path = folder / "nl" / "product_names.toml"
    document = tomlkit.parse(path.read_text("utf-8"))
    document["lists"]["allowed"] = []  # type: ignore[index]
    path.write_text(tomlkit.dumps(document), "utf-8")
    profile = (folder / "profile.toml").read_text("utf-8").replace("# block_below", "block_below")
    (folder / "profile.toml").write_text(profile, "utf-8")
    assert len(made(folder, "en", update=True)) == 1
    assert not made(folder, update=True)
    assert not read_names(folder, "nl")
    again = (folder / "profile.toml").read_text("utf-8")
    assert again.startswith(profile.strip())
    assert set(Company.open(folder).load().languages) == {"nl", "en"}


def test_a_rejected_name_is_not_added(tmp_path):
    folder = tmp_path / "acme"
    folder.mkdir()
    Suggestions(folder, (Suggestion("nl", "", "Plano Balans", status="rejected"),)).write()
    assert not made(folder)


def test_the_command_names_the_next_commands(klopt, tmp_path):
    for page in (*help_centre("nl"), *help_centre("en")[:2]):
        path = tmp_path / "help" / page.id
        path.parent.mkdir(exist_ok=True)
        path.with_stem(f"{path.stem}-{len(page.text)}").write_text(page.text, "utf-8")
    log = write_log(tmp_path / "chats.jsonl", {"question": "Hoe?", "answer": "Zo."})
    given = ("company", "init", "--pages", tmp_path / "help", "--log", log, "-o", tmp_path / "acme")
    run = klopt(*given)
    output = f"{run.out}{run.err}"
    assert run.code == 0
    assert "--language en --update -o" in output
    assert "Check 1 product name, such as Plano Balans" in output
    assert f"klopt company review {tmp_path}" in output
    assert f"klopt company check {tmp_path / 'acme'} --accept" in output
    company = Company.open(tmp_path / "acme")
    assert (company.name, company.log) == ("acme", log)
    run = klopt(*given, "--language", "en", "--update")
    assert run.code == 0
    assert "No new product names found: klopt company allow" in f"{run.out}{run.err}"
    company = Company.open(tmp_path / "acme")
    assert (len(company.page_folders), company.retrieve) == (1, 0)
    run = klopt(*given[:4], "-o", tmp_path / "acme", "--update", "--retrieve", 3)
    assert "--log LOG" not in run.err  # The folder names its log
    assert Company.open(tmp_path / "acme").retrieve == 3


def test_names_are_found_in_linear_time():
    text = "Het kloksaldo{0} van Plano Balans is Nieuw, vgl. tz.w. de Kleur.\n\n"

    def made(chars: int) -> list[Page]:
        return [Page("".join(text.format("x" * (n % 7)) for n in range(chars // 70)), id="a")]

    assert_linear(made, 21_000, names=lambda pages: names(pages, "nl"))


def exported(folder: Path) -> Path:
    """Write help pages and a log of two rows with column names of its own, in Windows-1252."""
    for page in help_centre("nl"):
        path = folder / "help" / page.id
        path.parent.mkdir(exist_ok=True)
        path.write_text(page.text, "utf-8")
    rows = (
        "Klanttekst;Bottekst;Pagina",
        "Hoe voer ik één verlof in?;Open Plano.;Verlof.md",
        "Wie kan verlof zien?;De teamleider kan verlof zien.;Verlof.md",
    )
    log = folder / "export.csv"
    log.write_text("\n".join(rows), "cp1252")
    return log


MAPPED = ("--map", "question=Klanttekst", "--map", "answer=Bottekst", "--encoding", "cp1252")


def test_init_stores_how_to_read_the_log_and_later_commands_read_it(klopt, tmp_path):
    log, folder = exported(tmp_path), tmp_path / "acme"
    given = ("company", "init", "--pages", tmp_path / "help", "--log", log, "-o", folder)
    refused = klopt(*given)
    assert refused.code == 3
    assert "Error: " in refused.err
    assert "Probably: --map question=Klanttekst --map answer=Bottekst" in refused.err
    assert not folder.exists()
    run = klopt(*given, *MAPPED)
    assert run.code == 0
    assert f"klopt company review {folder}   rate 2 answers" in run.err
    company = Company.open(folder)
    assert dict(company.names) == {"question": "Klanttekst", "answer": "Bottekst"}
    assert company.encoding == "cp1252"
    checked = klopt("company", "check", folder, "--accept")
    assert checked.code == 0
    assert '"verdict":"unscored"' not in company.accepted.read_text("utf-8").replace(" ", "")
    assert klopt("company", "suggest", folder).code == 0
    klopt("company", "init", "--pages", tmp_path / "help", "-o", folder, "--update")
    assert Company.open(folder) == company


def test_unknown_fields_and_encodings_of_a_folder_are_refused(tmp_path):
    made(tmp_path / "acme")
    text = (tmp_path / "acme" / "company.toml").read_text("utf-8")
    (tmp_path / "acme" / "company.toml").write_text(
        f'{text}map = {{ vraag = "Klanttekst" }}\nencoding = "base64"\n', "utf-8"
    )
    with pytest.raises(CompanyError, match=r"vraag: unknown key(.|\n)*base64.* is not an encoding"):
        Company.open(tmp_path / "acme")


def test_no_command_accepts_a_log_without_questions_and_answers(klopt, tmp_path):
    log, folder = exported(tmp_path), tmp_path / "acme"
    made(folder)
    for command in (
        ("company", "check", folder, "--log", log, "--accept"),
        ("company", "suggest", folder, "--log", log),
        ("company", "review", folder, "--log", log, "--no-browser"),
        ("report", log, "--pages", tmp_path / "help", "-o", tmp_path / "report.html"),
        ("explain", log, "--pages", tmp_path / "help", "--id", "row-1"),
    ):
        run = klopt(*command)
        assert run.code == 3, command
        assert "no field is read as question or answer" in run.err.splitlines()[-1]
    assert not (folder / "accepted.jsonl").exists()
    assert not (tmp_path / "report.html").exists()


def test_check_does_not_accept_a_run_without_scores(klopt, tmp_path):
    exported(tmp_path)
    made(tmp_path / "acme")
    log = write_log(
        tmp_path / "chats.jsonl", {"question": "Hoe voer ik verlof in?", "answer": "Zo."}
    )
    run = klopt("company", "check", tmp_path / "acme", "--log", log, "--accept")
    assert run.code == 1
    assert "none of 1 answer has a score" in run.out
    assert not (tmp_path / "acme" / "accepted.jsonl").exists()


def test_the_next_command_keeps_how_the_log_is_read(klopt, tmp_path):
    log = exported(tmp_path)
    made(tmp_path / "acme")
    given = ("--log", log, *MAPPED)
    run = klopt("company", "check", tmp_path / "acme", *given)
    assert f"check {tmp_path / 'acme'} {' '.join(map(str, given))} --accept" in run.err
    run = klopt("company", "check", tmp_path / "acme", *given, "--accept")
    options = " ".join(map(str, given))
    assert f"review {tmp_path / 'acme'} {options}   rate 2 answers" in run.err


def test_a_column_with_names_of_pages_is_named(klopt, tmp_path):
    log = exported(tmp_path)
    text = (
        log.read_text("cp1252")
        .replace("Pagina", "Bladen")
        .replace("Verlof.md", "Verlof.md, Rooster.md")
    )
    log.write_text(text, "cp1252")
    run = klopt("score", log, "--pages", tmp_path / "help", *MAPPED)
    assert 'column "Bladen" has names of your pages: --map contexts=Bladen' in run.err
    run = klopt("score", log, "--pages", tmp_path / "help", *MAPPED, "--map", "contexts=Bladen")
    assert "Bladen" not in run.err
