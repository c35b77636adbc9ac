"""Output on a terminal, which no text of a log or page controls, and Ctrl-C."""

import contextlib
import os
import re
import signal
import subprocess
import sys
import unicodedata

import pytest

from klopt.cli.interrupts import listening, stoppable
from tests.cli.column_rows import rated
from tests.cli.conftest import COLUMNS, OWN_VARIABLES, started, stopped
from tests.cli.judged_log import RIGHT, row

ON_POSIX = pytest.mark.skipif(os.name != "posix", reason="signals are of POSIX")
OWN_CODES = re.compile(
    r"\x1b\[(?:0|[1-4]|7|3[0-9]|4[0-9]|9[0-7]|38;[25](?:;\d+)+)(?:;\d+)*m"  # colour and weight
    r"|\x1b\[\?25[lh]|\x1b\[2K|\x1b\[1A|\r"  # the progress bar
)
CONTROLS = (
    "\x1b]0;title\x07"  # the window's title
    "\x1b[8m"  # hidden from here on
    "\x1b[2J"  # clears the screen
    "\x9b2J"  # the same as an eight-bit code
    "\x08\x08\x0b\x0c\x7f\x00"
    "\u202e\u2066"  # right to left from here on
)
MARKUP = "[red]x[/] [/] [link=file:///x]k[/link] [bold :key: \\"
EVIL = CONTROLS + MARKUP
LONG = "W" * 3_000
OPEN = (
    f"Kan {CONTROLS} ik dit aanpassen?",
    f"Ik krijg de foutmelding {CONTROLS} bij het opslaan",
    CONTROLS,
    f"Ik zie {CONTROLS} niet. Hoe{CONTROLS}maak{CONTROLS}ik{CONTROLS}dat?",
)

TURNS = (
    {
        "id": f"evil{EVIL}",
        "language": "nl",
        "question": f"Hoe sla ik een document op? {EVIL}",
        "answer": f"Klik op **Bestand** en op **Kwaad{CONTROLS}knop** in de lijst. {EVIL}",
        "contexts": [{"id": f"p{EVIL}", "text": f"Klik op **Bestand**. {EVIL} Kies de lijst."}],
    },
    {"id": f"evil{EVIL}", "question": "Hoe?", "contexts": [f"weg{CONTROLS}.md"]},
    {"id": f"type{EVIL}", "message_type": EVIL},
    {
        "id": f"long-{LONG}",
        "language": "nl",
        "question": f"Hoe sla ik een document op? {LONG}",
        "answer": f"Klik op **Bestand** en op **{LONG[:150]}** en kies {LONG}.",
        "contexts": [{"id": f"p-{LONG}", "text": f"Klik op **Bestand**. {LONG} Kies de lijst."}],
    },
    # The part of the question that matches an open pattern is shown.
    *(
        {"id": f"open-{n}", "language": "nl", "question": text, "answer": "Ja.",
         "contexts": ["Dat kan."]}
        for n, text in enumerate(OPEN)
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def hostile(tmp_path_factory, write):
    folder = tmp_path_factory.mktemp("hostile")
    log = write(folder / "log.jsonl", *TURNS)
    with log.open("ab") as file:
        file.write(CONTROLS.encode() + b"\n")
        file.write(b'["' + MARKUP.encode() + b'\x7f \xc2\x9b2J \xe2\x80\xae"]\n')
    rows = ({**row, "id": row["id"] + EVIL, EVIL: EVIL} for row in rated())
    write(folder / "rated.jsonl", *rows)
    write(
        folder / "judged.jsonl",
        row(f"id{EVIL}", f"1. Open Be{EVIL}heer en 12{EVIL}.", team=EVIL, label=1),
        row(f"other{EVIL}", RIGHT, reference=f"1. Open **{EVIL} knop**.", team=EVIL, label=0),
        row(f"list{EVIL}", RIGHT, reference={EVIL: 1}),
    )
    return log


def assert_tame(text: str) -> None:
    """Check that there are no control or direction characters but our colours, and no markup."""
    assert "\x1b[8m" not in text
    left = OWN_CODES.sub("", text)
    assert {one for one in left if unicodedata.category(one) in ("Cc", "Cf", "Cs")} <= {"\n"}
    assert "\x1b]8;" not in text
    assert "🔑" not in text


@pytest.mark.parametrize("terminal", [True, False], ids=["terminal", "piped"])
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("score", "LOG"), 3),
        (("classify", "LOG"), 3),
        (("explain", "LOG", "--id", TURNS[0]["id"]), 0),
        (("explain", "LOG", "--id", TURNS[3]["id"]), 0),
        (("explain", "LOG", "--id", TURNS[3]["id"], "--format", "jsonl"), 0),
        (("explain", "LOG", "--id", "evil"), 3),
        (("explain", "LOG", "--id", f"evil{EVIL[:-2]}"), 3),
        (("explain", "LOG", "--id", f"{LONG}{EVIL}"), 3),
        (("explain", "LOG", "--id", f"type{EVIL}"), 0),
        (("explain", "LOG", "--id", "row-9"), 3),
        (("explain", "LOG", "--id", "row-10"), 3),
        *((("explain", "LOG", "--id", f"open-{n}"), 0) for n in range(len(OPEN))),
        (("evaluate", "RATED", "--by", EVIL), 0),
        (("evaluate", "RATED", "--by", f"no{EVIL}"), 2),
        (("judge", "JUDGED"), 3),
        (("score", f"weg{EVIL[:-2]}.jsonl".replace("\x00", "")), 3),
        (("score", "LOG", "--profile", f"weg{EVIL}".replace("\x00", "")), 2),
    ],
)
def test_hostile_text_does_not_control_the_terminal(klopt, hostile, arguments, code, terminal):
    names = ("log", "rated", "judged")
    files = {name.upper(): hostile.with_name(f"{name}.jsonl") for name in names}
    given = (files.get(one, one) for one in arguments)
    run = klopt(*given, terminal=terminal)
    assert run.code == code
    assert "Traceback" not in run.err
    assert_tame(run.err)
    if terminal:  # JSON escapes its texts
        assert_tame(run.out)
    if terminal and code == 3 and arguments[1:] == ("LOG",):
        assert "[red]x[/]" in run.out


def test_hostile_text_in_json_does_not_control_the_terminal(klopt, hostile):
    run = klopt("score", hostile, "--format", "jsonl", terminal=True)
    assert [row["id"] for row in run.rows] == [*(turn["id"] for turn in TURNS), "row-9", "row-10"]
    # JSON may have any letter, also direction characters, but no control characters.
    assert {one for one in run.out if unicodedata.category(one) == "Cc"} == {"\n"}


def test_a_real_terminal_gets_a_table_and_colour(company):
    pty = pytest.importorskip("pty")
    environment = {name: value for name, value in os.environ.items() if name not in OWN_VARIABLES}
    reading, writing = pty.openpty()
    arguments = ["score", str(company.log), "--pages", str(company.pages), "--profile", "afas"]
    with subprocess.Popen(
        [sys.executable, "-m", "klopt", *arguments],
        stdin=subprocess.DEVNULL,
        stdout=writing,
        stderr=writing,
        env={**environment, "TERM": "xterm-256color", "COLUMNS": str(COLUMNS)},
    ) as process:
        os.close(writing)
        shown = b""
        with contextlib.suppress(OSError):  # Linux gives EIO when the other side is closed
            while part := os.read(reading, 65_536):
                shown += part
        os.close(reading)
        assert process.wait(180) == 0
    text = shown.decode()
    assert "\x1b[31mblock\x1b[0m" in text
    seen = OWN_CODES.sub("", text)
    assert re.search(r"^id +score +rated +verdict +why", seen, re.MULTILINE)
    assert "{" not in seen
    assert "5 answers: " in seen


@ON_POSIX
def test_control_c_leaves_no_files(tmp_path, tmp_path_factory, write):
    rows = ({"id": f"r{n}", "question": f"Kan {n}?", "answer": f"Ja, {n}."} for n in range(200_000))
    log = write(tmp_path_factory.mktemp("long") / "log.jsonl", *rows)
    output = tmp_path / "out.jsonl"
    with started("score", log, "-o", output) as process:
        ended = stopped(process, lambda: any(one.stat().st_size for one in tmp_path.iterdir()))
    assert ended == (130, b"", ["Stopped."])
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def foreground():
    """The signal handler of a process in the foreground."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def swallowed() -> None:
    with pytest.raises(KeyboardInterrupt):
        signal.raise_signal(signal.SIGINT)


@ON_POSIX
@pytest.mark.usefixtures("foreground")
def test_a_swallowed_signal_stops_the_next_item():
    done: list[int] = []
    with pytest.raises(KeyboardInterrupt), listening():  # noqa: PT012
        for item in stoppable([1, 2, 3]):
            done.append(item)
            swallowed()
    assert done == [1]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@ON_POSIX
@pytest.mark.usefixtures("foreground")
def test_a_swallowed_signal_does_not_stop_the_next_command():
    with listening():
        swallowed()
    with listening():
        assert list(stoppable([1, 2])) == [1, 2]
