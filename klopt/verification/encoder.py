"""A small encoder that reads each claim beside its nearest windows of the pages.

It understands what word rules cannot: a paraphrase, or a sentence that says something else in
nearly the same words. Its weights come as a distribution of their own, `klopt-careful`.
"""

from __future__ import annotations

import hashlib
import tomllib
from collections.abc import Callable, Sequence
from functools import cache
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

import numpy as np

from klopt._internal.extras import needs
from klopt._internal.onnx_model import ModelFailedError, OnnxModel, checked_path
from klopt.errors import ConfigurationError
from klopt.verification.index import PageIndex
from klopt.verification.match import Match
from klopt.verification.networks import (
    ENCODER_FEATURES,
    FEATURES,
    MAX_LOG_ODDS,
    SupportWeights,
)
from klopt.verification.windows import nearest
from klopt.verification.words import Floats

__all__ = ["NOT_READ", "ClaimEncoder", "encode", "shipped_encoder"]

NOT_READ: Final = (-3.0, 0.0)
"""The features of a claim that no window comes near."""
MAX_CLAIMS: Final = 64
"""Claims of an answer that are read, which bounds the time of a hostile one; the rest count as
claims that no window comes near."""
WINDOWS: Final = 2
"""Maximum windows of a claim."""
START, END = 0, 2
"""The tokens before the claim, and after claim and passage."""
CLAIM_TOKENS: Final = 64
"""Maximum tokens of question and claim; of longer ones the last are read."""
PASSAGE_TOKENS: Final = 120
"""Maximum tokens of a passage; of longer ones the first are read."""
MAX_CHARS: Final = 2_000
"""Characters of a text that are tokenized."""
DECIMALS: Final = 2
"""Decimals of log-odds, so that small differences between machines do not show."""


def encode(claim: Sequence[int], passage: Sequence[int]) -> list[int]:
    """Return the tokens that the encoder reads.

    >>> encode([7, 8], [9])
    [0, 7, 8, 2, 2, 9, 2]
    """
    return [START, *claim[-CLAIM_TOKENS:], END, END, *passage[:PASSAGE_TOKENS], END]


class ClaimEncoder:
    """The encoder in a local folder; safe in threads and in forked processes.

    Each claim and window is run by itself, so that the result does not depend on the others.

    Args:
        folder: Contains ``model.onnx``, ``tokenizer.json`` and ``support.toml``.
        threads: Threads of one run.

    Attributes:
        digest: Of the files, for the fingerprint.
        support: The weights of all features of a claim.

    Raises:
        ConfigurationError: A file is missing, damaged or of another kind.
        ExtraMissingError: onnxruntime or tokenizers is not installed.
    """

    def __init__(self, folder: Path, *, threads: int = 1) -> None:
        self._model = OnnxModel(
            folder,
            purpose="the profile `careful`",
            task="text-classification",
            max_tokens=MAX_CHARS,
            threads=threads,
        )
        weights = checked_path(folder, "support.toml").read_bytes()
        self.digest = f"{self._model.digest}{hashlib.sha256(weights).hexdigest()[:4]}"
        try:
            table = tomllib.loads(weights.decode("utf-8"))
            self.support = SupportWeights.of(table, (*FEATURES, *ENCODER_FEATURES))
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ConfigurationError(f"{folder / 'support.toml'}: {error}") from None
        self._windows: WeakKeyDictionary[PageIndex, dict[int, list[int]]] = WeakKeyDictionary()
        try:
            self._logits(encode([5], [6]))
        except ModelFailedError as error:
            raise ConfigurationError(f"{self._model.path}: the model {error}") from None

    def features(
        self,
        match: Match,
        units: Sequence[int],
        claims: Sequence[str],
        has_time: Callable[[], bool] = lambda: True,
    ) -> Floats | None:
        """Return `ENCODER_FEATURES` of claims, shape ``(n_claims, 2)``; None if the time is up.

        Args:
            match: The answer on its pages.
            units: The claims, by number of their sentence.
            claims: Their texts.
            has_time: Whether there is time left for another claim.
        """
        question = match.question_reading.plain.text.strip()
        features = np.tile(np.array(NOT_READ, np.float64), (len(units), 1))
        for row, windows in enumerate(nearest(match, units[:MAX_CLAIMS], WINDOWS)):
            if not has_time():
                return None
            if windows:
                own = self._tokens(f"{question[-MAX_CHARS // 2 :]} {claims[row]}".strip())
                read = [
                    self._logits(encode(own, self._window(match.contexts[page].index, number)))
                    for page, number in windows
                ]
                odds = np.array([_log_odds(logits) for logits in read])
                features[row] = odds[:, 0].max(), -odds[:, 1].max()
        return features

    def _window(self, page: PageIndex, number: int) -> list[int]:
        """Return the tokens of a window, made once a page."""
        known = self._windows.setdefault(page, {})
        if number not in known:
            known[number] = self._tokens(page.windows[number].text)
        return known[number]

    def _tokens(self, text: str) -> list[int]:
        return self._model.encode(text, max_chars=MAX_CHARS, add_special_tokens=False).ids

    def _logits(self, tokens: Sequence[int]) -> Floats:
        """Return the logits of `klopt.verification.networks.LABELS`, shape ``(3,)``."""
        logits = self._model.run_tokens(tokens, "logits")
        if logits.shape != (1, 3):
            raise ModelFailedError(f"returns shape {logits.shape}; needed is (1, 3)")
        row: Floats = logits[0].astype(np.float64)
        return row


@cache
def shipped_encoder() -> ClaimEncoder:
    """Return the encoder of the distribution `klopt-careful`.

    Raises:
        ExtraMissingError: The distribution, onnxruntime or tokenizers is not installed.
    """
    with needs("careful", "the profile `careful` needs the weights of klopt-careful"):
        from klopt_careful import FOLDER
    return ClaimEncoder(FOLDER)


def _log_odds(logits: Floats) -> tuple[float, float]:
    """Return the log-odds of supported and contradicted."""
    odds = [logits[label] - np.logaddexp.reduce(np.delete(logits, label)) for label in (0, 1)]
    low, high = np.round(np.clip(odds, -MAX_LOG_ODDS, MAX_LOG_ODDS), DECIMALS).tolist()
    return low, high
