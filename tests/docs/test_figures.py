"""The figures and charts of the accuracy pages are those that the benchmarks stored."""

import re
from xml.etree import ElementTree

import pytest

from docs import figures
from tests.conftest import ROOT

MARKER = re.compile(r"<!-- figures: (\w+) -->")


@pytest.mark.parametrize("name", figures.PAGES)
def test_the_pages_have_the_stored_figures(name):
    page = (ROOT / name).read_text("utf-8")
    assert figures.rewritten(page) == page, "run python -m docs.figures"


def test_each_table_is_on_a_page():
    pages = [(ROOT / name).read_text("utf-8") for name in figures.PAGES]
    assert sorted(MARKER.findall("".join(pages))) == sorted(figures.BLOCKS)


@pytest.mark.parametrize("name", figures.CHARTS)
def test_the_charts_have_the_stored_figures(name):
    drawn = (figures.ASSETS / name).read_text("utf-8")
    assert drawn == figures.CHARTS[name](), "run python -m docs.figures"
    assert "prefers-color-scheme: dark" in drawn
    ElementTree.fromstring(drawn)
