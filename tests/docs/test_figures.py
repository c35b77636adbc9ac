"""The figures and charts of the accuracy pages are those that the benchmarks stored."""

import re
import runpy
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

from tests.conftest import ROOT

figures = SimpleNamespace(**runpy.run_path(str(ROOT / "docs" / "figures.py")))
MARKER = re.compile(r"<!-- figures: (\w+) -->")


@pytest.mark.parametrize("name", figures.PAGES)
def test_the_pages_have_the_stored_figures(name):
    page = (ROOT / name).read_text("utf-8")
    assert figures.rewritten(page) == page, "run python docs/figures.py"


def test_each_table_is_on_a_page():
    pages = [(ROOT / name).read_text("utf-8") for name in figures.PAGES]
    assert sorted(MARKER.findall("".join(pages))) == sorted(figures.BLOCKS)


@pytest.mark.parametrize("name", figures.CHARTS)
def test_the_charts_have_the_stored_figures(name):
    drawn = (figures.ASSETS / name).read_text("utf-8")
    assert drawn == figures.CHARTS[name](), "run python docs/figures.py"
    assert "prefers-color-scheme: dark" in drawn
    ElementTree.fromstring(drawn)
