"""Pages found by the embeddings of a local model, in any language."""

import shutil

import pytest

from klopt import Index, Page, Scorer, Turn
from klopt.errors import ConfigurationError, InputError
from klopt.retrieval.vectors import MAX_PASSAGES, PASSAGE_WORDS, Embedder
from klopt.text.markup import read_text
from tests.llm.opinions.onnx_models import write_embedding_model
from tests.retrieval.conftest import MEANINGS, built, opened
from tests.retrieval.test_damaged import directory_of, rewritten

DIMENSIONS = len(MEANINGS) + 1
PAGES = {
    name: Page(text, name)
    for name, text in {
        "leave": "# Request leave\n\nPress **Leave** and choose the days on which you are off.",
        "paper": "# Paper\n\nPut paper into the tray before you print a document.",
        "wachtwoord": "# Wachtwoord\n\nKies **Wachtwoord wijzigen** om een nieuw te kiezen.",
        "wifi": "# Wifi\n\nZet de schakelaar van het draadloze netwerk om.",
    }.items()
}


@pytest.fixture(scope="module")
def index(tmp_path_factory, embedder):
    path = tmp_path_factory.mktemp("vectors") / "help.klopt"
    return opened(path, built(PAGES, embedder=embedder), embedder)


@pytest.mark.parametrize(
    ("question", "language", "best"),
    [
        ("Hoe vraag ik vakantiedagen aan?", "nl", "leave"),
        ("How do I choose a new password?", "en", "wachtwoord"),
        ("Wie lege ich Papier in den Drucker ein?", "de", "paper"),
        ("¿Cómo cambio la contraseña?", "es", "wachtwoord"),
        ("Πώς αλλάζω τον κωδικό πρόσβασης;", "el", "wachtwoord"),
    ],
)
def test_search_finds_pages_in_other_languages(index, question, language, best):
    assert index.search(question, 1, language=language)[0].page.id == best


def test_a_scorer_retrieves_only_pages_in_its_languages(index):
    turn = Turn("Hoe wijzig ik mijn contraseña?", "Kies **Wachtwoord wijzigen**.")
    result = Scorer.load(index=index, retrieve=1).score(turn)
    assert [page.id for page in result.retrieved] == ["wachtwoord"]
    turn = Turn("Hoe vraag ik vakantiedagen aan?", "Kies onder Leave de dagen waarop je vrij bent.")
    result = Scorer.load(index=index, retrieve=1).score(turn)
    assert [page.id for page in result.retrieved] != ["leave"]


def test_the_bytes_do_not_depend_on_processes_or_an_old_file(index, embedder, tmp_path):
    expected, plain = index.path.read_bytes(), built(PAGES)
    old = opened(tmp_path / "old.klopt", plain)
    assert built(PAGES, embedder=embedder, processes=2) == expected
    assert built(PAGES, embedder=embedder, old=old) == expected
    assert built(PAGES, old=index) == plain


def test_a_search_needs_the_model_of_the_index(index, tmp_path):
    without = Index.open(index.path)
    assert without["wifi"].text == PAGES["wifi"].text
    with pytest.raises(ConfigurationError, match=r"has vectors of model .* KLOPT_EMBEDDER=DIR"):
        without.search("Hoe werkt wifi?")
    other = write_embedding_model(tmp_path / "other", MEANINGS[:2])
    with pytest.raises(ConfigurationError, match="its vectors are of model"):
        Index.open(index.path, other)
    with pytest.raises(ConfigurationError, match="nowhere: does not exist; give the folder"):
        Index.open(index.path, tmp_path / "nowhere")
    plain = tmp_path / "plain.klopt"
    opened(plain, built(PAGES))
    with pytest.raises(ConfigurationError, match="has no vectors"):
        Index.open(plain, other)


@pytest.mark.parametrize(
    ("change", "bit", "message"),
    [
        (lambda part: part[4 + DIMENSIONS :] + part[: 4 + DIMENSIONS], 0, "its table of vectors"),
        (lambda part: part[:-3], 0, "its table of vectors is not as it was written"),
        (bytes, 1, 'part "vectors" is not as it was written'),
    ],
)
def test_altered_vectors_are_refused(index, embedder, tmp_path, change, bit, message):
    content = index.path.read_bytes()
    bad = bytearray(
        rewritten(content, lambda _, parts: parts.update(vectors=change(parts["vectors"])))
    )
    bad[directory_of(bad)[1]["vectors"][0] + 7] ^= bit  # after the checksum
    with pytest.raises(InputError, match=message):
        opened(tmp_path / "bad.klopt", bytes(bad), embedder).search("Hoe werkt wifi?")


def test_a_page_is_embedded_in_passages(embedder):
    def shape(text: str) -> tuple[int, ...]:
        return embedder.passages(Page(text, "page"), read_text(text)).shape

    assert shape("") == (0, DIMENSIONS)
    assert shape("woord " * PASSAGE_WORDS) == (1, DIMENSIONS)
    assert shape("woord " * (PASSAGE_WORDS + 1)) == (2, DIMENSIONS)
    assert shape("woord " * PASSAGE_WORDS * (MAX_PASSAGES + 1)) == (MAX_PASSAGES, DIMENSIONS)
    assert shape("x" * 100_000 + "\ud800") == (1, DIMENSIONS)


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("config.json", "[]", "config.json: has list; allowed is an object"),
        ("config.json", "{", "config.json: is not JSON"),
        ("config.json", '{"max_position_embeddings": 8}', "max_position_embeddings is 8; allowed"),
        ("model.onnx", "text", "the model cannot be loaded"),
    ],
)
def test_an_invalid_folder_is_refused(model_folder, tmp_path, name, content, message):
    folder = shutil.copytree(model_folder, tmp_path / "model")
    (folder / name).write_text(content)
    with pytest.raises(ConfigurationError, match=message):
        Embedder(folder)
