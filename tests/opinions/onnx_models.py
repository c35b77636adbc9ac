"""Small models in ONNX, real ones: what a page does not say they know by its words."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
from onnx import TensorProto, helper, numpy_helper
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
NLI = ("entailment", "neutral", "contradiction")
NEGATIONS = ("niet", "not")
WORDS = (
    *("alle", "alt", "bestand", "de", "f7", "f8", "het", "kiest", "klik", "knop", "met", "niet"),
    *("op", "opslaan", "sluit", "tab", "tabblad", "u", "uw", "vensters", "verwijdert", "wijzigen"),
    *("all", "closes", "file", "not", "press", "save", "the", "windows", "you"),
)
# What the share of words that the first text lacks, the negations that one of them has and a
# constant add to each label.
LOGITS = {
    "entailment": (-80, -8, 4),
    "neutral": (80, -8, -4),
    "contradiction": (0, 8, -4),
    "not_entailment": (80, 8, -4),
}


def tokenizer(words=WORDS) -> Tokenizer:
    vocabulary = SPECIAL | {word: len(SPECIAL) + number for number, word in enumerate(words)}
    made = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    made.normalizer = normalizers.Lowercase()
    made.pre_tokenizer = pre_tokenizers.Whitespace()
    made.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]",
        pair="[CLS] $A [SEP] $B:1 [SEP]:1",
        special_tokens=[(name, SPECIAL[name]) for name in ("[CLS]", "[SEP]")],
    )
    return made


def write(folder: Path, labels=NLI, *, words=WORDS, onnx="model.onnx", logits=LOGITS):
    """A whole folder."""
    (folder / onnx).parent.mkdir(parents=True, exist_ok=True)
    tokenizer(words).save(str(folder / "tokenizer.json"))
    told = {"id2label": dict(enumerate(labels)), "max_position_embeddings": 512}
    (folder / "config.json").write_text(json.dumps(told), "utf-8")
    (folder / onnx).write_bytes(model(labels, words, logits).SerializeToString())
    return folder


def model(labels, words, logits):
    """The graph."""
    n_words = len(SPECIAL) + len(words)
    table = np.eye(n_words, dtype=np.float32)
    table[: len(SPECIAL)] = 0
    table[SPECIAL["[UNK]"], SPECIAL["[UNK]"]] = 1
    negations = [len(SPECIAL) + words.index(word) for word in NEGATIONS if word in words]
    is_negation = np.zeros((n_words, 1), np.float32)
    is_negation[negations] = 1
    constants = {
        "table": table,
        "is_negation": is_negation,
        "last": np.array([-1]),
        "middle": np.array([1]),
        "one": np.array(1, np.float32),
    }
    nodes = [
        helper.make_node("Gather", ["table", "input_ids"], ["hot"]),
        helper.make_node("Cast", ["attention_mask"], ["read"], to=TensorProto.FLOAT),
        helper.make_node("Cast", ["token_type_ids"], ["types"], to=TensorProto.FLOAT),
        helper.make_node("Mul", ["read", "types"], ["in_second"]),
        helper.make_node("Sub", ["read", "in_second"], ["in_first"]),
        *(
            node
            for side in ("first", "second")
            for node in (
                helper.make_node("Unsqueeze", [f"in_{side}", "last"], [f"mask_{side}"]),
                helper.make_node("Mul", ["hot", f"mask_{side}"], [f"words_{side}"]),
                helper.make_node("ReduceMax", [f"words_{side}"], [f"bag_{side}"], axes=[1]),
            )
        ),
        helper.make_node("Mul", ["words_second", "bag_first"], ["both"]),
        helper.make_node("Sub", ["words_second", "both"], ["new"]),
        helper.make_node("ReduceSum", ["new", "last"], ["lacking"], keepdims=0),
    ]
    known = np.array([logits[label] for label in labels], np.float32).T
    constants |= {"weights": known[:2], "bias": known[2]}
    nodes += [
        helper.make_node("ReduceSum", ["words_second", "last"], ["has"], keepdims=0),
        helper.make_node("ReduceSum", ["lacking", "middle"], ["lacking_count"]),
        helper.make_node("ReduceSum", ["has", "middle"], ["count"]),
        helper.make_node("Max", ["count", "one"], ["total"]),
        helper.make_node("Div", ["lacking_count", "total"], ["share"]),
        helper.make_node("Sub", ["bag_first", "bag_second"], ["difference"]),
        helper.make_node("MatMul", ["difference", "is_negation"], ["sum"]),
        helper.make_node("Abs", ["sum"], ["size"]),
        helper.make_node("Squeeze", ["size", "last"], ["negated"]),
        helper.make_node("Concat", ["share", "negated"], ["facts"], axis=1),
        helper.make_node("MatMul", ["facts", "weights"], ["weighed"]),
        helper.make_node("Add", ["weighed", "bias"], ["logits"]),
    ]
    names = ("input_ids", "attention_mask", "token_type_ids")
    graph = helper.make_graph(
        nodes,
        "small",
        [helper.make_tensor_value_info(name, TensorProto.INT64, ["b", "n"]) for name in names],
        [helper.make_tensor_value_info("logits", TensorProto.FLOAT, None)],
        [numpy_helper.from_array(value, name) for name, value in constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
