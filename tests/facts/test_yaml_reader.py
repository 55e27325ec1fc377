"""YAML with places: what is read, what is refused and where, and that nothing else is ever raised."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from facts.errors import InputError, Place
from facts.yaml_reader import (
    MAX_BYTES,
    Mapping,
    Scalar,
    Sequence,
    decode,
    place_at,
    read_faulty_yaml,
    read_text,
    read_yaml,
)


def faults(text: str) -> list[str]:
    with pytest.raises(InputError) as caught:
        read_yaml(text, "f")
    return [str(fault) for fault in caught.value.faults]


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("no", "no"),
        ("on", "on"),
        ("N", "N"),
        ("null", "null"),
        ("~", "~"),
        ("2017-09-25", "2017-09-25"),
        ("1:30", "1:30"),
        ("062", "062"),
        ("0x1f", "0x1f"),
        ("45E1", "45E1"),
        ("12e3", "12e3"),
        ("1.5", "1.5"),
        ("+5", "+5"),
        ("True", "True"),
        ("61", 61),
        ("-3", -3),
        ("0", 0),
        ('"61"', "61"),
        ("true", True),
        ("false", False),
        ('"true"', "true"),
        ("", ""),
    ],
)
def test_only_text_integers_and_true_false_are_known(written: str, value: object) -> None:
    node = read_yaml(f"a: {written}\n", "f")
    assert isinstance(node, Mapping)
    scalar = node.entries["a"]
    assert isinstance(scalar, Scalar)
    assert (scalar.value, type(scalar.value)) == (value, type(value))
    assert scalar.quoted == written.startswith('"')


def test_every_value_keeps_its_place() -> None:
    node = read_yaml("a: 12\nb:\n  c: [x, {d: yes}]\n", "f")
    assert node.plain() == {"a": 12, "b": {"c": ["x", {"d": "yes"}]}}
    assert place_at(node, ("a",)) == Place("f", 1, 4, 2)
    assert place_at(node, ("b", "c")) == Place("f", 3, 6, 13)
    assert place_at(node, ("b", "c", 1, "d")) == Place("f", 3, 14, 3)
    assert isinstance(node, Mapping)
    assert node.keys["b"] == Place("f", 2, 1, 1)


def test_a_path_that_leads_nowhere_gives_what_is_above_it() -> None:
    node = read_yaml("a:\n  b: [1]\n", "f")
    assert place_at(node, ("a", "missing")) == place_at(node, ("a",)) == Place("f", 2, 3, 1)
    assert place_at(node, ("a", "b", 7)) == place_at(node, ("a", "b"))
    assert place_at(node, ("a", "branch-of-a-union", "b", 0)) == Place("f", 2, 7, 1)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a: 1\nb: 2\na: 3\n", "f:3:1: a stands here for the second time; keep one of the two"),
        (
            "a: &x 1",
            "f:1:4: &x is a reference or a tag of YAML's; write the value out, or put a text that begins with & in quotes",
        ),
        (
            "a: *x",
            "f:1:4: *x is a reference or a tag of YAML's; write the value out, or put a text that begins with * in quotes",
        ),
        (
            "a: !x 1",
            "f:1:4: !x is a reference or a tag of YAML's; write the value out, or put a text that begins with ! in quotes",
        ),
        ("a: {<<: b}", "f:1:5: << merges other values into this one; write the values out"),
        ("a\n---\nb", "f:2:1: a second document begins here; keep one document a file: take the --- away"),
        ("a: b\nc:\td", "f:2:3: there is a tab; write spaces instead"),
        ("a: b\r\nc: \0", "f:2:4: the character U+0000 cannot stand in a text file; take it away"),
        ("a: \ud800", "f:1:4: the character U+D800 cannot stand in a text file; take it away"),
        ("a: b\u2028", "f:1:5: the character U+2028 cannot stand in a text file; take it away"),
        ("1: a", "f:1:1: the name 1 is not text; write a text, in quotes if it looks like a number"),
        ("true: a", "f:1:1: the name true is not text; write a text, in quotes if it looks like a number"),
        ("? [a]\n: b", "f:1:3: the name here is not text; write a text, in quotes if it looks like a number"),
        ("a: 1234567890123456", "f:1:4: the number is too large; write at most 15 digits, or put it in quotes"),
        (
            "a: 'b",
            "f:1:4: found unexpected end of stream while scanning a quoted scalar; close the quote or bracket that is still open",
        ),
        (
            "a: b: c",
            "f:1:5: mapping values are not allowed in this context; put a text that holds a colon in quotes, and check the indentation",
        ),
        ("# nothing\n", "f:1:1: there is nothing in the file; write something into it, or leave it out"),
    ],
)
def test_what_is_refused_names_its_place_and_how_to_mend_it(text: str, expected: str) -> None:
    assert faults(text) == [expected]


def test_all_faults_come_at_once_and_the_rest_can_still_be_read() -> None:
    node, found = read_faulty_yaml("a: 1\na: 2\nb: &c 3\n", "f")
    assert [fault.place.line for fault in found] == [2, 3]
    assert node is not None
    assert node.plain() == {"a": 1, "b": 3}


def test_depth_and_number_are_bounded_before_they_hurt(monkeypatch: pytest.MonkeyPatch) -> None:
    assert isinstance(read_yaml("[" * 50 + "]" * 50, "f"), Sequence)
    assert faults("[" * 100) == ["f:1:51: values are nested more than 50 deep here; make it simpler, or divide it"]
    (fault,) = faults("[" * 100_000)  # which column depends on how far the parser looks ahead
    assert fault.endswith(": values are nested more than 50 deep here; make it simpler, or divide it")
    assert faults("a:\n" + "- " * 51 + "b")[0].startswith("f:2:99: values are nested more than 50 deep here")
    monkeypatch.setattr("facts.yaml_reader.MAX_NODES", 3)
    assert faults("[a, b, c]") == ["f:1:8: the file holds more than 3 values; make it simpler, or divide it"]
    assert faults("a" * (MAX_BYTES + 1)) == ["f:1:1: the file is larger than 8 MB; divide it"]


@pytest.mark.thorough
@given(st.text() | st.text("ab:- \n[]{}\"'#&*!|>?,<%@`\t\\0123"))
@example("- - - ? : - a\n")
@example("%YAML 3.0\n--- a")
@example("\ufeffa: b")
@example("a: b\x85")
def test_nothing_but_input_errors_is_ever_raised(text: str) -> None:
    try:
        node = read_yaml(text, "f")
    except InputError as error:
        assert error.faults
        lines = text.count("\n") + text.count("\r") + 2
        assert all(1 <= fault.place.line <= lines and fault.place.column >= 1 and fault.mend for fault in error.faults)
    else:
        node.plain()


@given(st.binary())
def test_any_bytes_are_text_or_an_input_error(data: bytes) -> None:
    try:
        assert decode(data, "f").strip()
    except InputError as error:
        assert len(error.faults) == 1


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (b"", "f:1:1: the file is empty; write something into it, or leave it out"),
        (b" \n", "f:1:1: the file is empty; write something into it, or leave it out"),
        ("a: ü\n".encode() + b"b: \xfc", "f:2:4: the byte 0xfc is not UTF-8; save the file as UTF-8 text"),
        ("a: b".encode("utf-16"), "f:1:1: the file is written in UTF-16; save it as UTF-8"),
        (b"PK\0\1", "f:1:3: there is a zero byte: this is not a text file; name a text file"),
        (b"a" * (MAX_BYTES + 1), "f:1:1: the file is larger than 8 MB; divide it"),
    ],
)
def test_files_that_are_no_text(data: bytes, expected: str) -> None:
    with pytest.raises(InputError) as caught:
        decode(data, "f")
    assert str(caught.value) == expected


def test_reading_a_file(tmp_path: Path) -> None:
    file = tmp_path / "a.yaml"
    file.write_bytes(b"\xef\xbb\xbfa: \xc3\xbc")
    assert read_text(file) == "a: ü"
    for path, what in ((tmp_path, "this is a folder, not a file"), (tmp_path / "b", "there is no such file")):
        with pytest.raises(InputError, match=what):
            read_text(path)
    with pytest.raises(InputError, match="cannot be read"):
        read_text(Path("a\0b"))
