"""No sentence of the project makes a reader stumble over a pattern that `tools/english.py` knows."""

import pytest

from tools.english import files, joint_constants, sentences, stumbles

FILES = files()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.as_posix()[-60:])
def test_a_file_is_in_plain_english(path):
    assert [str(stumble) for stumble in stumbles(path)] == []


@pytest.mark.parametrize(
    ("source", "text"),
    [
        ('"""Tell whether it rains here today."""', "Tell whether it rains here today."),
        ('"""A word.\n\nWhat lies below is stone."""', "What lies below is stone."),
        ('raise ValueError(f"{name}: got {x} beside {y} here")', "`x`: got `x` beside `x` here"),
        (
            'raise BadValue("memory", "an aligner of which two exist")',
            "an aligner of which two exist",
        ),
        ('add("--x", help="steps from which on nobody plays")', "steps from which on nobody plays"),
        ("# Nobody comes here any more.\nx = 1", "Nobody comes here any more."),
        ('MOST = 1\n"""Most pieces that a stack has."""', "Most pieces that a stack has."),
        ('"""A word.\n\nIt means nothing at all."""', "It means nothing at all."),
        ('add("--x", help="the" " former of " "these two")', "the former of these two"),
    ],
)
def test_a_stumble_is_found(source, text, tmp_path, monkeypatch):
    monkeypatch.setattr("tools.english.ROOT", tmp_path)
    path = tmp_path / "module.py"
    path.write_text(source)
    assert text in [stumble.text for stumble in stumbles(path)]


def test_a_stumbling_test_name_is_found(tmp_path, monkeypatch):
    monkeypatch.setattr("tools.english.ROOT", tmp_path)
    path = tmp_path / "tests" / "test_x.py"
    path.parent.mkdir()
    path.write_text("def test_who_sneaks_is_told():\n    pass\n")
    assert [stumble.text for stumble in stumbles(path)] == ["who sneaks is told"]


def test_constants_that_share_a_docstring_are_found():
    assert list(joint_constants('NEAR, FAR = 1, 2\n"""Blocks."""')) == [(1, "(NEAR, FAR)")]
    assert list(joint_constants('NEAR, FAR = 1, 2\nx = 3\n"""One."""')) == []


def test_quotations_code_and_tables_are_no_sentences():
    text = 'He said "nobody was told" twice.\n\n| nobody | was told of it |\n\n```\nnobody was told\n```'
    assert list(sentences(text)) == ["He said `x` twice."]
