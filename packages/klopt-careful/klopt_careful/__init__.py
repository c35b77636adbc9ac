"""The weights of klopt's profile `careful`; MODEL_CARD.md says what they learnt from."""

from pathlib import Path
from typing import Final

FOLDER: Final = Path(__file__).parent
"""Contains ``model.onnx``, ``tokenizer.json`` and ``support.toml``."""
