"""datasheet.toml: strict, but a wrong key costs only itself."""

from __future__ import annotations

import json
from collections import namedtuple
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st

import datasheet_lsp.workspace
from datasheet_lsp.workspace import Problem, Settings, read_settings, settings_schema
from datasheet_lsp.workspace.settings import DocumentsSettings, decode_options, decode_toml

GOOD = """
[[context]]
name = "main"
device = "STM32F407VGT6"
svd = "svd/STM32F407.svd"
documents = ["docs/*.pdf"]
code = ["src/**"]

[[context]]
device = "nRF52840"
svd = "nordic.pack"
member = "SVD/nrf52840.svd"

[svd]
folders = ["~/svd"]
search_installed = false

[hover]
max_rows = 10

[index]
enabled = false
path = "cache/index.sqlite"

[documents]
search = false
include = ["notes/*.md"]
exclude = ["old/"]
json_paths = ["errata[*].text"]
xml_paths = [".//item"]
chunk_min = 128
chunk_max = 256
overlap = 16
layout = "linear"
tokenizer = "~/models/minilm"

[documents.devices]
STM32F407 = ["docs/rm*.pdf"]

[documents.password]
"docs/rm.pdf" = "secret"

[log]
level = "debug"
"""


def read(text: str | bytes) -> tuple[Settings, list[Problem]]:
    data = text.encode() if isinstance(text, str) else text
    return decode_toml(data, Path("datasheet.toml"))


def only(problems: list[Problem]) -> Problem:
    assert len(problems) == 1, problems
    return problems[0]


def test_without_a_file_the_defaults_hold(tmp_path: Path) -> None:
    assert read_settings(tmp_path) == (Settings(), [])
    assert read_settings(None) == (Settings(), [])


def test_every_key_is_read(tmp_path: Path) -> None:
    (tmp_path / "datasheet.toml").write_text(GOOD)
    settings, problems = read_settings(tmp_path)
    assert problems == []
    assert [c.device for c in settings.context] == ["STM32F407VGT6", "nRF52840"]
    assert settings.context[0].code == ("src/**",)
    assert settings.context[1].member == "SVD/nrf52840.svd"
    assert settings.svd.folders == ("~/svd",) and settings.svd.search_installed is False
    assert settings.hover.max_rows == 10
    assert settings.index.enabled is False and settings.index.path == "cache/index.sqlite"
    assert settings.documents == DocumentsSettings(
        search=False,
        include=("notes/*.md",),
        exclude=("old/",),
        devices={"STM32F407": ("docs/rm*.pdf",)},
        password={"docs/rm.pdf": "secret"},
        json_paths=("errata[*].text",),
        xml_paths=(".//item",),
        chunk_min=128,
        chunk_max=256,
        overlap=16,
        layout="linear",
        tokenizer="~/models/minilm",
    )
    assert settings.log.level == "debug"


def test_a_wrong_type_names_key_value_form_and_line_and_costs_that_key_alone() -> None:
    settings, problems = read('[log]\nlevel = "info"\n[hover]\nmax_rows = "ten"\n')
    problem = only(problems)
    assert problem.line == 4
    assert problem.message == (
        'hover.max_rows = "ten": it must be an integer from 1 to 1000; 64 is used.'
    )
    assert settings.hover.max_rows == 64 and settings.log.level == "info"


@pytest.mark.parametrize(
    ("text", "line", "parts"),
    [
        ("[hover]\nmax_rows = 0", 2, ["hover.max_rows = 0", "from 1 to 1000", "64 is used"]),
        ("[hover]\nmax_rows = true", 2, ["max_rows = true", "an integer"]),
        ("[index]\nenabled = 1", 2, ["index.enabled = 1", "true or false", "true is used"]),
        ('[log]\nlevel = "loud"', 2, ['"loud"', 'one of "error", "warning", "info", "debug"']),
        ('[svd]\nfolders = "svd"', 2, ['svd.folders = "svd"', "a list of strings"]),
        ('[svd]\nfolders = ["a", 3]', 2, ['["a", 3]', "a list of strings"]),
        ('[index]\npath = ""', 2, ['index.path = ""', "not empty"]),
        ('[documents]\nlayout = "flat"', 2, ['one of "kept", "linear"']),
        ('[documents.password]\n"a.pdf" = 3', 2, ["documents.password.a.pdf = 3", "a string"]),
        (
            '[documents.devices]\nA = "a.pdf"',
            2,
            ["documents.devices.A = ", "a list of strings"],
        ),
        ("[documents]\npassword = 'x'", 2, ["documents.password", "a table"]),
        ("hover = 3", 1, ["hover = 3", "a table"]),
        ('context = "x"', 1, ["context", "a list of tables"]),
        ("[[context]]\ndevice = 'A'\n[[context]]\nsvd = 5", 4, ["context[2].svd = 5", "a string"]),
    ],
)
def test_wrong_values_are_told_with_line_and_form(text: str, line: int, parts: list[str]) -> None:
    _, problems = read(text)
    problem = only(problems)
    assert problem.line == line
    for part in parts:
        assert part in problem.message


@pytest.mark.parametrize(
    ("text", "line", "wrong", "meant"),
    [
        ("[hoover]\nmax_rows = 3", 1, "hoover", "hover"),
        ("[hover]\n\nmax_row = 3", 3, "hover.max_row", "max_rows"),
        ('[[context]]\ndevise = "A"', 2, "context[1].devise", "device"),
        ("[svd]\nsearch-installed = false", 2, "svd.search-installed", "search_installed"),
    ],
)
def test_an_unknown_key_gets_the_one_that_was_meant(
    text: str, line: int, wrong: str, meant: str
) -> None:
    settings, problems = read(text)
    problem = only(problems)
    assert problem.line == line
    assert problem.message.startswith(f"{wrong} is no setting")
    assert f"did you mean {meant}?" in problem.message


def test_an_unknown_key_without_likeness_gets_all_there_are() -> None:
    _, problems = read("[log]\nzzz = 1")
    assert "there is level, queries, queries_megabytes." in only(problems).message


def test_a_wrong_key_in_one_context_leaves_the_others_and_the_rest_of_it() -> None:
    settings, problems = read(
        '[[context]]\ndevice = "A"\ncode = 3\n[[context]]\ndevice = "B"\ncode = ["b/"]\n'
    )
    assert only(problems).line == 3
    assert [(c.device, c.code) for c in settings.context] == [("A", ()), ("B", ("b/",))]


def test_broken_toml_is_one_sentence_with_the_place() -> None:
    settings, problems = read("[hover]\nmax_rows = \n")
    problem = only(problems)
    assert settings == Settings()
    assert problem.line == 2
    assert "line 2, column 12" in problem.message
    assert problem.message.count(". ") == 0 and problem.message.endswith("are used.")


def test_a_file_in_another_encoding_is_told_with_its_line() -> None:
    settings, problems = read(b'[log]\nlevel = "\xe9"\n')
    assert settings == Settings() and only(problems).line == 2


def test_byte_order_mark_and_windows_line_ends_are_fine() -> None:
    settings, problems = read(b'\xef\xbb\xbf[log]\r\nlevel = "info"\r\n')
    assert problems == [] and settings.log.level == "info"


def test_an_unreadable_file_is_told(tmp_path: Path) -> None:
    (tmp_path / "datasheet.toml").mkdir()
    settings, problems = read_settings(tmp_path)
    assert settings == Settings()
    assert "cannot be read" in only(problems).message


def test_options_of_the_editor_are_the_same_settings() -> None:
    settings, problems = decode_options({"hover": {"max_rows": 5}, "svd": {"folders": ["/x"]}})
    assert problems == [] and settings.hover.max_rows == 5 and settings.svd.folders == ("/x",)


def test_options_may_be_namedtuples_and_lie_under_a_section() -> None:
    Hover = namedtuple("Hover", "max_rows")
    Log = namedtuple("Log", "level")
    Options = namedtuple("Options", "hover log")
    Whole = namedtuple("Whole", "datasheet")
    settings, problems = decode_options(Whole(Options(Hover(7), Log("error"))))
    assert problems == [] and settings.hover.max_rows == 7 and settings.log.level == "error"


def test_a_wrong_option_is_told_and_costs_itself() -> None:
    settings, problems = decode_options({"hover": {"max_rows": "7"}, "log": {"level": "info"}})
    problem = only(problems)
    assert problem.path is None and problem.line is None
    assert "Option of the editor: hover.max_rows" in problem.message
    assert settings.log.level == "info"


@pytest.mark.parametrize("options", [None, {}, []])
def test_no_options_are_no_problem_unless_they_are_no_table(options: Any) -> None:
    settings, problems = decode_options(options)
    assert settings == Settings()
    assert len(problems) == (1 if options == [] else 0)


def test_the_file_goes_before_the_options_key_by_key(tmp_path: Path) -> None:
    (tmp_path / "datasheet.toml").write_text("[hover]\nmax_rows = 64\n")
    options = {"hover": {"max_rows": 5}, "log": {"level": "debug"}}
    settings, _ = read_settings(tmp_path, options)
    assert settings.hover.max_rows == 64 and settings.log.level == "debug"


def test_the_shipped_schema_is_the_one_of_the_code() -> None:
    shipped = Path(datasheet_lsp.workspace.__file__).with_name("datasheet.schema.json")
    assert json.loads(shipped.read_text()) == settings_schema()


def test_the_schema_is_valid_and_judges_as_the_decoder_does() -> None:
    import tomllib

    schema = settings_schema()
    jsonschema.Draft7Validator.check_schema(schema)
    validator = jsonschema.Draft7Validator(schema)
    assert validator.is_valid(tomllib.loads(GOOD))
    for wrong in (
        {"hover": {"max_rows": 0}},
        {"hover": {"rows": 3}},
        {"log": {"level": "loud"}},
        {"context": [{"code": "src"}]},
        {"index": {"path": ""}},
        {"other": {}},
    ):
        assert not validator.is_valid(wrong)
        assert decode_options(wrong)[1]


def test_every_setting_is_described_in_the_schema() -> None:
    schema = settings_schema()
    for table in (schema, *schema["definitions"].values()):
        for name, entry in table["properties"].items():
            assert entry.get("description"), name


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)
keys = st.sampled_from(
    ["context", "svd", "hover", "index", "log", "device", "code", "folders", "max_rows", "level"]
)
tables = st.dictionaries(
    keys | st.text(max_size=5),
    st.dictionaries(keys | st.text(max_size=5), values) | st.lists(values) | values,
)


@how(deadline=None)
@given(tables | values)
def test_no_options_whatever_raise(options: Any) -> None:
    settings, problems = decode_options(options)
    assert isinstance(settings, Settings)
    # What came out is right: it passes the strict decoder as a whole.
    assert msgspec.convert(msgspec.to_builtins(settings), Settings) == settings
    for problem in problems:
        assert problem.message


@how(deadline=None)
@given(st.binary(max_size=200) | st.text(max_size=200).map(str.encode))
def test_no_file_whatever_raises(data: bytes) -> None:
    settings, problems = read(data)
    assert isinstance(settings, Settings)


VALIDATOR = jsonschema.Draft7Validator(settings_schema())


@how(deadline=None, max_examples=40)
@given(tables)
def test_what_the_schema_takes_the_decoder_takes(options: dict[str, Any]) -> None:
    if VALIDATOR.is_valid(options):
        settings, problems = decode_options(options)
        # JSON counts 3.0 as an integer; TOML and the decoder do not.
        assert all("integer" in problem.message for problem in problems)
