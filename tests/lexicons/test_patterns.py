"""Patterns: what compiles, within which time, what is refused, and their literals."""

import re

import pytest

from klopt import lexicons
from klopt.errors import LexiconError, PatternTimeoutError
from klopt.lexicons import Pattern, matched_spans, read_lexicon
from klopt.lexicons import pattern as pattern_module
from klopt.lexicons.pattern import MAX_REPEATED_CHARS, compile_pattern
from tests.lexicons.written import lexicon_text
from tests.tables import tables
from training.literals import FILE, MAX_CHARACTERS, derived, literals_of

CASES, LITERALS = (tables("lexicons", name) for name in ("patterns", "literals"))


class LateOnce:
    """An expression that times out at the first tries, as on a busy machine."""

    def __init__(self, tries: int) -> None:
        self.tries = tries
        self.timeouts: list[float] = []

    def _search(self, timeout: float) -> None:
        self.timeouts.append(timeout)
        if len(self.timeouts) <= self.tries:
            raise TimeoutError

    def search(self, text: str, *, timeout: float) -> str:
        self._search(timeout)
        return text

    def finditer(self, text: str, *, timeout: float) -> list[str]:
        self._search(timeout)
        return [text]


def with_expression(expression: LateOnce) -> Pattern:
    pattern = Pattern("late", "", "a", ignore_case=True, weight=1.0, hit=(), miss=())
    pattern.__dict__["expression"] = expression
    return pattern


@pytest.mark.parametrize(("name", "found"), [("search", "Orlanda"), ("finditer", ["Orlanda"])])
def test_a_search_that_times_out_is_retried_once(name, found):
    once, twice = LateOnce(1), LateOnce(2)
    assert getattr(with_expression(once), name)("Orlanda") == found
    with pytest.raises(PatternTimeoutError, match='pattern "late" took over'):
        getattr(with_expression(twice), name)("Orlanda")
    assert once.timeouts == twice.timeouts == [0.5, 1.0]


REFUSED = [
    *CASES["refused"],
    [f"a{{{'9' * 4_000}}}", "its nested repetition counts ask for over"],
    ["a" * 5_001, "has 5,001 characters, and 5,000 are allowed"],
    ["(" * 2_000 + "a" + ")" * 2_000, "the expression is too deep or too large"],
]
ALLOWED = [
    *CASES["allowed"],
    ["a{99999}", "a" * 99_999],
    ["(?:a{400}){400}", "a" * 160_000],
    ["|".join(rf"\d{{4}}-\d{{2}}-{n:02}" for n in range(100)), "2026-11-23"],
    ["(" * 100 + "a" + ")" * 100, "a"],
]


@pytest.mark.parametrize("ignore_case", [True, False])
@pytest.mark.parametrize(("source", "message"), REFUSED, ids=lambda text: text[:30])
def test_unbounded_and_invalid_patterns_are_refused(source, message, ignore_case):
    with pytest.raises(LexiconError, match=f"^{re.escape(message)}"):
        compile_pattern(source, ignore_case=ignore_case)


@pytest.mark.parametrize(("source", "text"), ALLOWED, ids=lambda text: text[:30])
def test_bounded_patterns_are_allowed(source, text):
    assert compile_pattern(source).fullmatch(text)


def test_largest_pattern_compiles():
    compile_pattern(f"(?:a{{1000}}){{{MAX_REPEATED_CHARS // 1_016}}}")


@pytest.mark.parametrize(("source", "text", "matches"), CASES["alike"])
def test_case_is_ignored_letter_by_letter(source, text, matches):
    assert (compile_pattern(source).fullmatch(text) is not None) == matches


@pytest.mark.parametrize("letters", ["ss", "ff", "st", "ß", "ﬀ", "ſt"])
@pytest.mark.parametrize("source", [r"[\p{L}'’-]+[78]", r"(?i:[\p{L}'’-]+[78])", r"a|[a-zß]+[78]"])
@pytest.mark.parametrize("ignore_case", [True, False])
def test_letters_that_fold_to_two_take_no_longer(source, letters, ignore_case):
    """With full case folding each pair doubles the time: 40 pairs exceed every limit."""
    expression = compile_pattern(source, ignore_case=ignore_case)
    assert expression.search("P" + letters * 100, timeout=60.0) is None


def write_pattern(file, name, source, hit, miss):
    body = f"""[[pattern]]
id = "{name}"
group = "does_not_know"
pattern = '{source}'
hit = "{hit}"
miss = "{miss}"
"""
    file.write_text(lexicon_text("refusals", body), "utf-8")


@pytest.mark.parametrize("source", ["(?:(?:a{99999}){99999})", "a(?R)?", "(?if:geen)"])
def test_unbounded_pattern_is_reported_with_file_and_entry(tmp_path, source):
    file = tmp_path / "orlinde.toml"
    write_pattern(file, "without_end", source, "a", "b")
    with pytest.raises(LexiconError) as caught:
        read_lexicon(file)
    assert f'{file}:12: [[pattern]] 1 "without_end" pattern: ' in str(caught.value)


def test_slow_pattern_is_reported(tmp_path, monkeypatch):
    monkeypatch.setattr(pattern_module, "TIMEOUT_SECONDS", 0.01)
    monkeypatch.setattr(pattern_module, "_RETRY_TIMEOUT_SECONDS", 0.02)
    file = tmp_path / "orlinde.toml"
    write_pattern(file, "every_way", "(?p)(a|aa)+[78]", "a" * 68 + "7", "7")
    with pytest.raises(LexiconError) as caught:
        read_lexicon(file)
    assert str(caught.value) == (
        f'{file}:12: [[pattern]] 1 "every_way" pattern: pattern "every_way" took over 0.01 s on a '
        "text of 69 characters; simplify its nested repetitions"
    )


# Literals that each match contains


@pytest.mark.parametrize(("source", "literals"), LITERALS["literals"])
def test_required_literals(source, literals):
    assert sorted(literals_of(source).required) == sorted(literals)


@pytest.mark.parametrize(("source", "literals"), LITERALS["initial"])
def test_initial_literals(source, literals):
    assert sorted(literals_of(source).initial) == sorted(literals)


def test_stored_literals_are_current():
    assert FILE.read_text("utf-8") == derived(), "run python -m training.literals"


def test_a_large_character_set_has_no_literals():
    letters = "".join(map(chr, range(97, 97 + MAX_CHARACTERS + 1)))
    assert literals_of(f"[{letters}]").required == ()


@pytest.mark.parametrize("language", ["nl", "en"])
def test_literals_lose_no_match(language):
    """On the examples of all patterns of a lexicon, alone and together."""
    for lexicon in lexicons.load(language).values():
        texts = [text for other in lexicon.patterns for text in (*other.hit, *other.miss)]
        texts += [text.upper() for text in texts]
        together = ["\n".join(texts), "İ ".join(texts)]
        for pattern in lexicon.patterns:
            for text in (*texts, *together):
                matches = [match.span() for match in pattern.expression.finditer(text)]
                assert [match.span() for match in pattern.finditer(text)] == matches
            for text in texts:
                match = pattern.search(text)
                assert (match and match.span()) == next(
                    (match.span() for match in pattern.expression.finditer(text)), None
                )


def test_of_overlapping_matches_the_first_counts():
    patterns = [Pattern("a", "", one, True, 1.0, (), ()) for one in ("cd", "ab", "bc", "ef")]
    assert matched_spans(patterns, "abcd ef") == [(0, 2), (2, 4), (5, 7)]
