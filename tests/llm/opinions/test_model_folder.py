"""The folder of an encoder: invalid files are reported before the first row."""

import json
import os
import re
import subprocess
import sys

import numpy as np
import onnx
import pytest
from onnx import TensorProto, external_data_helper, helper, numpy_helper

from klopt.errors import ConfigurationError, ExtraMissingError
from klopt.llm.opinions.nli import NliModel
from tests.llm.opinions.onnx_models import NLI, write

UNNAMED = ("LABEL_0", "LABEL_1", "LABEL_2")


def changed(name, change):
    """Return a function that changes the bytes of one file of a folder."""
    return lambda folder: (folder / name).write_bytes(change((folder / name).read_bytes()))


def config(**fields):
    return changed("config.json", lambda old: json.dumps(json.loads(old) | fields).encode())


def shortened(name):
    return changed(name, lambda content: content[: len(content) * 6 // 10])


def written(name, content):
    return changed(name, lambda _: content)


def removed(name):
    return lambda folder: (folder / name).unlink()


def linked(name):
    def damage(folder):
        (folder / name).rename(folder.parent / name)
        (folder / name).symlink_to(folder.parent / name)

    return damage


def only_torch(folder):
    (folder / "model.onnx").rename(folder / "model.safetensors")


def config_folder(folder):
    (folder / "config.json").unlink()
    (folder / "config.json").mkdir()


def sparse(name, size):
    return lambda folder: os.truncate(folder / name, size)


def model_with(change):
    """Return a function that changes the model of a folder."""

    def changed_bytes(content):
        made = onnx.load_from_string(content)
        change(made)
        return made.SerializeToString()

    return changed("model.onnx", changed_bytes)


@model_with
def own_operator(made):
    made.graph.node[-1].domain = "company"
    made.opset_import.append(helper.make_opsetid("company", 1))


@model_with
def other_input(made):
    made.graph.input.append(helper.make_tensor_value_info("pixels", TensorProto.INT64, None))


def weights_at(place):
    """Return a function that moves the largest table of the model to another file."""

    def damage(folder):
        made = onnx.load(folder / "model.onnx")
        table = next(tensor for tensor in made.graph.initializer if tensor.name == "table")
        outside = folder.parent / "table.bin"
        for path in (outside, folder / "inside.bin"):
            path.write_bytes(table.raw_data)
        (folder / "table.bin").symlink_to(outside)
        external_data_helper.set_external_data(table, place.format(folder=folder))
        table.ClearField("raw_data")
        (folder / "model.onnx").write_bytes(made.SerializeToString())

    return damage


@model_with
def two_outputs(made):
    made.graph.output[0].name = "facts"
    made.graph.output.append(helper.make_tensor_value_info("share", TensorProto.FLOAT, None))


@model_with
def positions(made):
    """A table of positions that is shorter than the configured maximum."""
    made.graph.initializer.append(numpy_helper.from_array(np.zeros((100, 1), np.float32), "seats"))
    made.graph.node.insert(0, helper.make_node("Gather", ["seats", "at"], ["unused"]))
    made.graph.node.insert(0, helper.make_node("NonZero", ["attention_mask"], ["at"]))
    made.graph.output.append(helper.make_tensor_value_info("unused", TensorProto.FLOAT, None))


HUGE = {str(number): "y" * 999 for number in range(1000)}
INVALID = {
    "no model": removed("model.onnx"),
    "torch": only_torch,
    "no tokenizer": removed("tokenizer.json"),
    "no config": removed("config.json"),
    "config a folder": config_folder,
    "model cut off": shortened("model.onnx"),
    "model empty": written("model.onnx", b""),
    "model of text": written("model.onnx", b"version https://git-lfs.github.com\n"),
    "tokenizer cut off": shortened("tokenizer.json"),
    "tokenizer empty": written("tokenizer.json", b""),
    "tokenizer deep": written("tokenizer.json", b"[" * 100_000),
    "tokenizer binary": written("tokenizer.json", b"\xff\xfe"),
    "config cut off": shortened("config.json"),
    "config deep": written("config.json", b"[" * 100_000),
    "config binary": written("config.json", b"\xff\xfe"),
    "config a list": written("config.json", b"[]"),
    "config huge": sparse("config.json", 2_000_000),
    "tokenizer huge": sparse("tokenizer.json", 1 << 27),
    "model huge": sparse("model.onnx", (1 << 31) + 1),
    "labels a list": config(id2label=list(NLI)),
    "a label a number": config(id2label={"0": "entailment", "1": 7}),
    "one label": config(id2label={"0": "entailment"}),
    "labels from 1": config(id2label={"1": "entailment", "2": "neutral"}),
    "other labels": config(id2label={"0": "POSITIVE", "1": "NEGATIVE"}),
    "labels of words": config(id2label={"0": "klopt dat", "1": 'zegt "nee"'}),
    "many labels": config(id2label=HUGE),
    "no fault": config(id2label={"0": "entailment", "1": "Entailed"}),
    "none supported": config(id2label={"0": "neutral", "1": "contradiction"}),
    "too few positions": config(max_position_embeddings=8),
    "positions a word": config(max_position_embeddings="512"),
    "labels and model differ": config(id2label={"0": "entailment", "1": "neutral"}),
    "unknown inputs": other_input,
    "outputs": two_outputs,
    "positions": positions,
    "own operator": own_operator,
    "weights above": weights_at("../table.bin"),
    "weights by link": weights_at("table.bin"),
    "weights by path": weights_at("{folder}/inside.bin"),
    "weights beside": weights_at("inside.bin"),
    "no weights": weights_at("nowhere.bin"),
    "model a link": linked("model.onnx"),
    "tokenizer a link": linked("tokenizer.json"),
    "config a link": linked("config.json"),
}
OF_LIBRARIES = re.compile(
    r"(?<=tokenizer\.json: )(?!has|is).*|(?<=another kind: ).*|(?<=the model fails: ).*"
)
"""The part of a message that comes from onnxruntime or tokenizers."""


@pytest.mark.parametrize("damage", INVALID.values(), ids=INVALID)
def test_invalid_folders(tmp_path, capfd, snapshot, damage):
    folder = write(tmp_path / "model")
    damage(folder)
    with pytest.raises(ConfigurationError) as error:
        NliModel(folder)
    message = str(error.value)
    assert len(message) < 2_000
    assert OF_LIBRARIES.sub("…", message.replace(str(folder), "FOLDER")) == snapshot
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize(
    ("name", "threads", "message"),
    [
        ("nowhere", 1, "nowhere: does not exist; give the folder of a model"),
        ("model/model.onnx", 1, r"model.onnx: is a file; give the folder of a model"),
        ("model", 0, "threads = 0: allowed are 1 to 64"),
    ],
)
def test_invalid_arguments(tmp_path, name, threads, message):
    write(tmp_path / "model")
    with pytest.raises(ConfigurationError, match=message):
        NliModel(tmp_path / name, threads=threads)


@pytest.mark.parametrize(
    "labels",
    [
        ("ENTAILMENT", "NEUTRAL", "CONTRADICTION"),
        ("Entailed", "not stated", "Contradicted"),
        ("supported", "not-stated", " contradicted "),
    ],
)
def test_spellings_of_labels(tmp_path, labels):
    config(id2label=dict(enumerate(labels)))(write(tmp_path))
    assert "labels:supported/not_stated/contradicted," in NliModel(tmp_path).signature


def test_labels_of_unnamed_outputs(tmp_path):
    folder = write(tmp_path)
    config(id2label=dict(enumerate(UNNAMED)))(folder)
    given = dict(zip(UNNAMED, ("supported", "not_stated", "contradicted"), strict=True))
    assert "labels:supported/not_stated/contradicted," in NliModel(folder, given).signature
    given["LABEL_9"] = "supported"
    with pytest.raises(ConfigurationError, match="names LABEL_9, which the model does not have"):
        NliModel(folder, given)
    with pytest.raises(ConfigurationError, match="the model has LABEL_0, LABEL_1, LABEL_2, and"):
        NliModel(folder, {"LABEL_0": "supported"})


def test_a_configured_label_overrides_the_known_one(tmp_path):
    encoder = NliModel(write(tmp_path), {"Neutral": "contradicted"})
    assert "labels:supported/contradicted/contradicted," in encoder.signature


def test_a_model_without_id2label_has_two_labels(tmp_path):
    folder = write(tmp_path, NLI[:2])
    (folder / "config.json").write_text("{}")
    given = {"LABEL_0": "supported", "label_1": "not_stated"}
    assert "labels:supported/not_stated," in NliModel(folder, given).signature


def test_a_model_in_a_subfolder(tmp_path):
    folder = write(tmp_path / "a", onnx="onnx/model.onnx")
    assert NliModel(folder).signature == NliModel(write(tmp_path / "b")).signature


@pytest.mark.parametrize("name", ["onnxruntime", "tokenizers"])
def test_a_missing_library_names_the_extra(tmp_path, monkeypatch, name):
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ExtraMissingError, match=r"pip install 'klopt\[encoder\]'"):
        NliModel(tmp_path)


ALONE = """
import socket, sys
def refuse(*_, **__): raise SystemExit('network')
socket.socket = socket.create_connection = socket.getaddrinfo = refuse
from pathlib import Path
from klopt.llm.opinions.nli import NliModel
NliModel(Path(sys.argv[1]))
print({'torch', 'transformers', 'huggingface_hub', 'httpx'} & set(sys.modules))
"""


def test_loading_a_model_opens_no_connection_and_imports_no_client(tmp_path):
    write(tmp_path / "model")
    command = [sys.executable, "-c", ALONE, tmp_path / "model"]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
