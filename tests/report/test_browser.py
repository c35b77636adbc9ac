"""A real browser reads the page: nothing of the data runs, and the style sheet is let in.

Each safeguard is tested without the other, and the first test shows that a script would be seen.
"""

from klopt.report import html
from tests.report.browser import HOSTILE, MARK, REFUSED, without_policy
from tests.report.reader import Reader
from tests.report.wadlinde import evaluated, example, with_texts


def with_script(page: str) -> str:
    return page.replace("</main>", f"<script>{MARK}; document.title='pwned'</script></main>")


def render() -> str:
    return html.render(evaluated(example()))


def test_a_script_would_be_seen(see):
    seen = see(without_policy(with_script(render())))
    assert seen.is_marked
    assert seen.title == "pwned"


def test_hostile_texts_do_not_run_even_without_the_policy(see):
    hostile = with_texts(evaluated(example()), lambda words: f"{HOSTILE} {words}")
    seen = see(without_policy(html.render(hostile)))
    assert not seen.is_marked
    assert seen.title == "How well klopt agrees with people"
    reader = Reader(seen.dom)
    tags = {tag for tag, _ in reader.tags}
    assert tags.isdisjoint({"script", "img", "iframe"})
    assert not any(name.startswith("on") for _, held in reader.tags for name in held)
    assert "".join(reader.words).count(f"{HOSTILE} Hoe geef ik een nieuw adres door") >= 4


def test_the_policy_stops_a_script_and_lets_the_style_sheet_in(see):
    clean = see(render())
    assert REFUSED not in clean.log
    assert "<polyline" in clean.dom
    stopped = see(with_script(render()))
    assert not stopped.is_marked
    assert REFUSED in stopped.log


def test_the_policy_stops_another_style_sheet(see):
    assert REFUSED in see(render().replace("<style>", "<style>p{color:red}")).log
