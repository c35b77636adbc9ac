"""spaCy: a component, ``klopt``, that checks a doc against the pages given with it."""

from __future__ import annotations

from collections.abc import Mapping

from klopt import Scorer
from klopt._internal.fields import kind_of_value
from klopt._internal.imports import needs
from klopt.errors import ConfigurationError, RecordError
from klopt.integrations import assess

with needs("afas", "klopt's adapter needs spacy"):
    from spacy.language import Language
    from spacy.tokens import Doc

_EXTENSION = (None, None, None, None)


class KloptComponent:
    """Write `Assessment.to_dict` to ``doc._.klopt``, or another extension.

    The doc's text is the answer; ``doc.user_data["klopt"]`` has its ``question`` and ``contexts``.
    A doc without them stays as it is. An extension of another component is an error.

    >>> import spacy
    >>> nlp = spacy.blank("nl")
    >>> component = nlp.add_pipe("klopt")
    >>> doc = nlp.make_doc("Klik op **Turbo**.")
    >>> page = {"id": "wifi", "text": "Zet wifi uit met **Vliegtuig**."}
    >>> doc.user_data["klopt"] = {"question": "Hoe zet ik wifi uit?", "contexts": [page]}
    >>> nlp(doc)._.klopt["verdict"]
    'block'
    """

    def __init__(self, scorer: Scorer, extension: str = "klopt") -> None:
        if Doc.has_extension(extension) and Doc.get_extension(extension) != _EXTENSION:
            raise ConfigurationError(
                f"doc._.{extension} is already defined by another component; name another "
                "extension in the config"
            )
        Doc.set_extension(extension, default=None, force=True)
        self.scorer, self.extension = scorer, extension

    def __call__(self, doc: Doc) -> Doc:
        """Check one doc; raise `RecordError` if its ``user_data["klopt"]`` is not a mapping."""
        given = doc.user_data.get("klopt")
        if given is not None and not isinstance(given, Mapping):
            kind = kind_of_value(given)
            raise RecordError(f'user_data["klopt"] is {kind}, not {{"question": …, "contexts": …}}')
        if given is not None:
            assessment = assess(self.scorer, given.get("question"), doc.text, given.get("contexts"))
            doc._.set(self.extension, assessment.to_dict())
        return doc


@Language.factory("klopt", default_config={"profile": "default", "extension": "klopt"})
def create(nlp: Language, name: str, profile: str, extension: str) -> KloptComponent:
    """Create the component for ``nlp.add_pipe("klopt", config={"profile": ...})``."""
    return KloptComponent(Scorer.load(profile), extension)
