from __future__ import annotations

import io
import json
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragclean.cli.candidates import read_candidates
from ragclean.cli.failure import CommandError


def write(folder, content):
    path = folder / "chunks.jsonl"
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    return str(path)


def test_objects_and_strings_a_line_and_blank_lines_between(tmp_path):
    path = write(tmp_path, '{"text": "整机保修24个月。"}\n\n   \r\n"a plain string"\r\n')
    assert read_candidates(path) == [{"text": "整机保修24个月。"}, "a plain string"]


def test_one_array_pretty_printed(tmp_path):
    items = [{"text": "one"}, "two"]
    assert read_candidates(write(tmp_path, "\n " + json.dumps(items, indent=2))) == items


def test_byte_order_mark_is_forgiven(tmp_path):
    assert read_candidates(write(tmp_path, b"\xef\xbb\xbf" + b'"x"')) == ["x"]


@pytest.mark.parametrize("content", ["", "\n\n", "[]"])
def test_nothing_is_no_error(tmp_path, content):
    assert read_candidates(write(tmp_path, content)) == []


def test_line_separators_inside_a_string_do_not_split_it(tmp_path):
    assert read_candidates(write(tmp_path, '"a\u2028b\u0085c"\n')) == ["a\u2028b\u0085c"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ('"fine"\n{"text": \n', ":2: not JSON"),
        ('"fine"\n\n[1]\n', ":3: expected an object or a string, got an array"),
        ("null\n", ":1: expected an object or a string, got null"),
        ("true\n", ":1: expected an object or a string, got a boolean"),
        ("12\n", ":1: expected an object or a string, got a number"),
        ('["a",\n "b",\n 3]', ": item 3: expected an object or a string, got a number"),
        ('["a",\n "b"\n "c"]', ":3: not JSON"),
        ('"a"\n' + "[" * 100_000, ":2: not usable JSON"),
        ("9" * 10_000, ":1: not usable JSON"),
    ],
)
def test_errors_name_file_and_line(tmp_path, content, message):
    path = write(tmp_path, content)
    with pytest.raises(CommandError) as caught:
        read_candidates(path)
    assert str(caught.value).startswith(path + message)


def test_other_encodings_are_named_with_the_way_out(tmp_path):
    path = write(tmp_path, b'"ok"\n' + '"保修"'.encode("gb18030"))
    with pytest.raises(CommandError, match=r":2: not UTF-8 .*iconv"):
        read_candidates(path)


@pytest.mark.parametrize("name", ["missing.jsonl", "", "a\0b"])
def test_a_path_that_cannot_be_read(tmp_path, name):
    with pytest.raises(CommandError):
        read_candidates(str(tmp_path / name))


def test_standard_input(monkeypatch):
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(b'"x"\n{')))
    with pytest.raises(CommandError, match="standard input:2: not JSON"):
        read_candidates("-")


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_by_name(tmp_path_factory, content):
    path = write(tmp_path_factory.mktemp("any"), content)
    found, refused = [], path
    try:
        found = read_candidates(path)
    except CommandError as e:
        refused = str(e)
    assert refused.startswith(path)
    assert all(isinstance(item, (dict, str)) for item in found)
