"""Small ONNX models that compare the words of two texts."""

import json
from pathlib import Path

import numpy as np
from onnx import numpy_helper
from onnx import parser as onnx_parser
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors

SPECIAL = {"[PAD]": 0, "[UNK]": 1, "[CLS]": 2, "[SEP]": 3}
NLI = ("entailment", "neutral", "contradiction")
NEGATIONS = ("niet", "not")
WORDS = (
    *("alle", "alt", "bestand", "de", "f7", "f8", "het", "kiest", "klik", "knop", "met", "niet"),
    *("op", "opslaan", "sluit", "tab", "tabblad", "u", "uw", "vensters", "verwijdert", "wijzigen"),
    *("all", "closes", "file", "not", "press", "save", "the", "windows", "you"),
)
# Weights per label: the share of words missing from the first text, a negation in only one of
# the two texts, and a constant.
LOGITS = {
    "entailment": (-80, -8, 4),
    "neutral": (80, -8, -4),
    "contradiction": (0, 8, -4),
    "not_entailment": (80, 8, -4),
}

GRAPH = """
<ir_version: 8, opset_import: ["": 17]>
small (int64[b, n] input_ids, int64[b, n] attention_mask, int64[b, n] token_type_ids)
    => (float[b, labels] logits)
<int64[1] last = {-1}, int64[1] middle = {1}, int64[2] places = {1, 2}, float one = {1}>
{
    second = Mul(attention_mask, token_type_ids)
    first = Sub(attention_mask, second)
    in_first = Cast<to = 1>(first)
    in_second = Cast<to = 1>(second)
    mask_first = Unsqueeze(in_first, last)
    mask_second = Unsqueeze(in_second, last)
    hot = Gather(table, input_ids)
    words_first = Mul(hot, mask_first)
    words_second = Mul(hot, mask_second)
    bag_first = ReduceMax<axes = [1]>(words_first)
    bag_second = ReduceMax<axes = [1]>(words_second)
    both = Mul(words_second, bag_first)
    new = Sub(words_second, both)
    lacking = ReduceSum(new, places)
    count = ReduceSum(words_second, places)
    total = Max(count, one)
    share = Div(lacking, total)
    difference = Sub(bag_first, bag_second)
    sum = MatMul(difference, is_negation)
    negated = Abs(sum)
    facts = Concat<axis = 2>(share, negated)
    weighed = MatMul(facts, weights)
    sums = Add(weighed, bias)
    logits = Squeeze(sums, middle)
}
"""


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
    """Write the folder of an NLI model."""
    (folder / onnx).parent.mkdir(parents=True, exist_ok=True)
    tokenizer(words).save(str(folder / "tokenizer.json"))
    config = {"id2label": dict(enumerate(labels)), "max_position_embeddings": 512}
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    (folder / onnx).write_bytes(model(labels, words, logits).SerializeToString())
    return folder


def model(labels, words, logits):
    made = onnx_parser.parse_model(GRAPH)
    n_words = len(SPECIAL) + len(words)
    table = np.eye(n_words, dtype=np.float32)
    table[: len(SPECIAL)] = 0
    table[SPECIAL["[UNK]"], SPECIAL["[UNK]"]] = 1
    is_negation = np.zeros((n_words, 1), np.float32)
    is_negation[[len(SPECIAL) + words.index(word) for word in NEGATIONS if word in words]] = 1
    known = np.array([logits[label] for label in labels], np.float32).T
    constants = {"table": table, "is_negation": is_negation, "weights": known[:2], "bias": known[2]}
    for name, value in constants.items():
        made.graph.initializer.append(numpy_helper.from_array(value, name))
    return made


EMBEDDING = """
<ir_version: 8, opset_import: ["": 17]>
embedding (int64[b, n] input_ids, int64[b, n] attention_mask) => (float[b, n, d] last_hidden_state)
{
    last_hidden_state = Gather(table, input_ids)
}
"""


def write_embedding_model(folder: Path, groups: list[list[str]], *, onnx="model.onnx"):
    """Write the folder of an embedding model that gives the words of a group one vector."""
    words = [word for group in groups for word in group]
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer(words).save(str(folder / "tokenizer.json"))
    made = onnx_parser.parse_model(EMBEDDING)
    table = np.full((len(SPECIAL) + len(words), len(groups) + 1), 0.01, np.float32)
    table[: len(SPECIAL), -1] = 0.1
    for number, group in enumerate(groups):
        for word in group:
            table[len(SPECIAL) + words.index(word), number] = 1
    made.graph.initializer.append(numpy_helper.from_array(table, "table"))
    (folder / onnx).parent.mkdir(exist_ok=True)
    (folder / onnx).write_bytes(made.SerializeToString())
    return folder
