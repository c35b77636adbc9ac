"""The encoding of a file is detected, and files that are not text are refused."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from klopt._internal.decoding import decode, encoding_of, repaired
from klopt.errors import InputError

TEXT = "Eén gebruiker kost € 12,50 – ook in het café."
META = '<meta charset="{0}">'
HTTP = '<meta http-equiv="Content-Type" content="text/html; charset={0}">'


@pytest.mark.parametrize(
    ("data", "encoding"),
    [
        (TEXT.encode(), "utf-8"),
        (TEXT.encode("utf-8-sig"), "utf-8-sig"),
        (TEXT.encode("cp1252"), "cp1252"),
        (TEXT.encode("utf-16"), "utf-16"),
        (b"\xfe\xff" + TEXT.encode("utf-16-be"), "utf-16"),
        (TEXT.encode("utf-16-le"), "utf-16-le"),
        (TEXT.encode("utf-16-be"), "utf-16-be"),
        (TEXT.encode("utf-32"), "utf-32"),
        (b"", "utf-8"),
    ],
)
def test_text_is_decoded_in_its_encoding(data, encoding):
    assert decode(data, "a.txt") == ((TEXT if data else ""), encoding)


@pytest.mark.parametrize(
    ("written", "declared", "head"),
    [
        ("cp1252", "windows-1252", META),
        ("cp1252", "iso-8859-1", HTTP),
        ("cp1252", "utf-8", META),  # declared wrongly
        ("cp1252", "no-such-thing", META),
        ("cp1252", "rot13", META),
        ("iso-8859-15", "iso-8859-15", META),
        ("iso-8859-15", "iso-8859-15", '<?xml version="1.0" encoding="{0}"?>'),
        ("mac-roman", "macintosh", META),
        ("utf-8", "windows-1252", META),
        ("utf-8", "utf-16", META),
    ],
)
def test_the_declared_encoding_counts_unless_the_bytes_are_utf_8(written, declared, head):
    text = head.format(declared) + TEXT.replace("–", "-")
    assert decode(text.encode(written), "a.html").text == text


def test_damaged_utf_8_stays_utf_8():
    data = ("één " * 20).encode() + b"caf\xc3"
    assert decode(data, "a.md").text.endswith("één caf\ufffd")


@pytest.mark.parametrize(
    "data",
    [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x04\0\0\0", b"\xff\xfea", b"caf\x81\xe9", b"\x01\x02" * 9],
)
def test_bytes_that_are_not_text_are_an_error_with_the_file_name(data):
    with pytest.raises(InputError, match=r"^logo\.html: .*UTF-8"):
        decode(data, "logo.html")


@pytest.mark.parametrize("cut", range(1, 6))
def test_an_incomplete_character_at_the_end_of_a_sample_is_valid(cut):
    assert encoding_of("aé€".encode()[:cut], is_whole=False) == "utf-8"
    assert encoding_of("aé€é".encode("utf-16")[: cut + 2], is_whole=False) == "utf-16"


@pytest.mark.parametrize("text", [TEXT, "“ja” … ‘nee’ → ™ ¿ñ ÀÁÂ", "Ã\N{NO-BREAK SPACE}a", "½ à"])
def test_text_that_was_encoded_twice_is_repaired(text):
    twice = "".join(bytes([byte]).decode("cp1252", "ignore") or chr(byte) for byte in text.encode())
    assert repaired(repaired(twice)) == repaired(text)


@pytest.mark.parametrize("text", ["café…”", "Å”", "Ângela: pâté €", "België»", "SÃO", "naïef"])
def test_accents_are_kept(text):
    assert repaired(text) == text


@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc"]), min_size=1))
def test_text_in_utf_8_is_kept_unless_it_was_encoded_twice(text):
    text = "a" + text
    assert decode(text.encode(), "a").text == repaired(text)


@given(st.binary(max_size=300))
def test_any_bytes_are_text_or_an_error(data):
    try:
        text, encoding = decode(data, "a")
    except InputError:
        return
    assert encoding is not None
    assert isinstance(text, str)
