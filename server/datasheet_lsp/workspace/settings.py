"""The settings: ``datasheet.toml`` at the workspace root, and the same keys as editor options.

The file is the project's word and goes before the editor's options, as the more particular does
before the more general; options fill in what the file does not say.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from datasheet_lsp.workspace.answer_settings import AnswerSettings
from datasheet_lsp.workspace.code_settings import (
    CompletionSettings,
    DiagnosticsSettings,
    HintsSettings,
)
from datasheet_lsp.workspace.decode import KeyPath, decode_struct, plain
from datasheet_lsp.workspace.model_settings import ModelSettings
from datasheet_lsp.workspace.search_settings import SearchSettings
from datasheet_lsp.workspace.types import Problem

FILE_NAME = "datasheet.toml"
MAX_BYTES = 1024 * 1024
SECTION = "datasheet"

Text = Annotated[str, Meta(min_length=1)]


class ContextSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A device of this workspace and the code it applies to."""

    name: Annotated[str, Meta(description="How it is called in messages. Default: the device.")] = (
        ""
    )
    device: Annotated[
        str,
        Meta(
            description="The device, as the vendor writes it: STM32F407VGT6. An SVD that fits is "
            "looked for; with a pack as svd it chooses from the pack."
        ),
    ] = ""
    svd: Annotated[
        str,
        Meta(
            description="The SVD file (.svd, .svd.gz, .xml) or CMSIS pack (.pack), relative to "
            "this file. It is used whatever other files say."
        ),
    ] = ""
    member: Annotated[
        str, Meta(description="With a pack: the path of the SVD inside, or a device name.")
    ] = ""
    documents: Annotated[
        tuple[Text, ...],
        Meta(description="Manuals and datasheets: paths or patterns (docs/**/*.pdf)."),
    ] = ()
    code: Annotated[
        tuple[Text, ...],
        Meta(
            description="The code this device applies to, as in .gitignore: src/**, board_a/, "
            "!src/host/**. Default: every file."
        ),
    ] = ()


class SvdSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where SVD files are looked for."""

    folders: Annotated[
        tuple[Text, ...],
        Meta(description="Further folders to search for SVD files and packs; ~ is the home."),
    ] = ()
    search_installed: Annotated[
        bool,
        Meta(
            description="Whether to look at the SVD files that PlatformIO, CMSIS packs, "
            "STM32CubeIDE, the pico-sdk and other tools have installed."
        ),
    ] = True


class HoverSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a hover shows."""

    max_rows: Annotated[
        int, Meta(ge=1, le=1000, description="The most rows of a table; the rest is counted.")
    ] = 64


class IndexSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The index file, which makes a second start fast and holds what was read of manuals."""

    enabled: Annotated[bool, Meta(description="Whether to keep an index file at all.")] = True
    automatic: Annotated[
        bool,
        Meta(
            description="Whether the server reads new and changed documents into the index by "
            "itself, in the background. Without: on the command datasheet.reindex alone."
        ),
    ] = True
    questions: Annotated[
        bool,
        Meta(
            description="Whether the language model writes, at the end of a run, questions that "
            "each passage answers, which are searched with the words of the passage and never "
            "shown. Takes seconds for each passage."
        ),
    ] = False
    path: Annotated[
        Text, Meta(description="The index file, relative to this file; ~ is the home.")
    ] = ".datasheet/index.sqlite"


class DocumentsSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Manuals, datasheets, errata and notes: which there are and how they are cut into chunks."""

    search: Annotated[
        bool,
        Meta(
            description="Whether to take the PDF and office files of the workspace, and pages and "
            "texts that lie in a folder for documents or are called errata, manual and the like."
        ),
    ] = True
    include: Annotated[
        tuple[Text, ...],
        Meta(description="Further documents: paths or patterns (docs/**/*.md); ~ is the home."),
    ] = ()
    exclude: Annotated[
        tuple[Text, ...],
        Meta(description="What is left out, as in .gitignore: *_ds.pdf, old/."),
    ] = ()
    devices: Annotated[
        dict[str, tuple[Text, ...]],
        Meta(
            description="Which documents are about a device, where its name is not on them: "
            'STM32F407 = ["docs/rm*.pdf"]. A [[context]] has documents for the same.'
        ),
    ] = {}
    password: Annotated[
        dict[str, str],
        Meta(description='Passwords of protected files, by path or name: "rm.pdf" = "secret".'),
    ] = {}
    json_paths: Annotated[
        tuple[Text, ...],
        Meta(description="What to take of JSON files: errata[*].text. Default: all."),
    ] = ()
    xml_paths: Annotated[
        tuple[Text, ...],
        Meta(description="What to take of XML files: .//item/description. Default: all."),
    ] = ()
    chunk_min: Annotated[
        int,
        Meta(
            ge=0,
            le=8192,
            description="A chunk has at least so many tokens, unless its section has less.",
        ),
    ] = 256
    chunk_max: Annotated[
        int, Meta(ge=64, le=8192, description="A chunk has at most so many tokens.")
    ] = 512
    overlap: Annotated[
        int,
        Meta(
            ge=0,
            le=1024,
            description="How many tokens of running text a chunk repeats from the one before. "
            "Chunks end with a section, a table row or a sentence, so none are needed.",
        ),
    ] = 0
    layout: Annotated[
        Literal["kept", "linear"],
        Meta(
            description="kept: tables as pipe tables, lines as they are; linear: each row a "
            "sentence that names its columns."
        ),
    ] = "kept"
    tokenizer: Annotated[
        str,
        Meta(
            description="The folder of the embedding model, or its tokenizer.json: tokens are "
            "counted by it. Default: that of the model installed, else an estimate."
        ),
    ] = ""


class EmbedSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The model that search by meaning uses, in a process of its own."""

    enabled: Annotated[
        bool,
        Meta(
            description="Whether to search by meaning too. Its vectors are made while indexing, "
            "after all documents can be searched by words."
        ),
    ] = True
    model: Annotated[
        str,
        Meta(
            description="The embedding model: the folder of a sentence-transformers model or a "
            "GGUF file, relative to this file, or the name of one in the folder for models "
            "(datasheet-lsp models). Default: nomic-embed-text-v1.5 if it is there, else the "
            "model of the demo extra."
        ),
    ] = ""
    threads: Annotated[
        int, Meta(ge=0, le=256, description="Threads that it uses; 0: as many as it likes.")
    ] = 0
    idle_minutes: Annotated[
        float,
        Meta(
            ge=0,
            le=1440,
            description="Its process ends after so many minutes without work; 0: never.",
        ),
    ] = 10.0
    dimensions: Annotated[
        int,
        Meta(
            ge=0,
            le=8192,
            description="Cuts vectors to so many dimensions, for models made for it; 0: all.",
        ),
    ] = 0
    distance: Annotated[
        Literal["cosine", "l2"],
        Meta(description="How far vectors are from one another: by angle, or in a straight line."),
    ] = "cosine"


class LogSettings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What is told about the work, and what is kept of it."""

    level: Annotated[
        Literal["error", "warning", "info", "debug"],
        Meta(description="The least important kind of message that is written."),
    ] = "warning"
    queries: Annotated[
        bool,
        Meta(
            description="Whether to keep each question with what was found for it, in "
            ".datasheet/queries.jsonl on this machine (datasheet-lsp log)."
        ),
    ] = False
    queries_megabytes: Annotated[
        int, Meta(ge=1, le=1000, description="The most megabytes that are kept of them.")
    ] = 10


class Settings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Settings of datasheet-lsp for one workspace. Every key has a default."""

    context: Annotated[
        tuple[ContextSettings, ...],
        Meta(description="The devices. Without any, they are found from the project's files."),
    ] = ()
    svd: Annotated[SvdSettings, Meta(description="Where SVD files are looked for.")] = SvdSettings()
    hover: Annotated[HoverSettings, Meta(description="What a hover shows.")] = HoverSettings()
    index: Annotated[IndexSettings, Meta(description="The index file.")] = IndexSettings()
    documents: Annotated[DocumentsSettings, Meta(description="Manuals and other documents.")] = (
        DocumentsSettings()
    )
    embed: Annotated[EmbedSettings, Meta(description="Search by meaning.")] = EmbedSettings()
    search: Annotated[SearchSettings, Meta(description="Search in the manuals.")] = SearchSettings()
    model: Annotated[ModelSettings, Meta(description="The language model.")] = ModelSettings()
    answer: Annotated[AnswerSettings, Meta(description="Answers to questions.")] = AnswerSettings()
    hints: Annotated[HintsSettings, Meta(description="Hints beside lines of code.")] = (
        HintsSettings()
    )
    completion: Annotated[CompletionSettings, Meta(description="Completion in code.")] = (
        CompletionSettings()
    )
    diagnostics: Annotated[DiagnosticsSettings, Meta(description="Mistakes in code.")] = (
        DiagnosticsSettings()
    )
    log: Annotated[LogSettings, Meta(description="Messages, and the log of questions.")] = (
        LogSettings()
    )


def settings_schema() -> dict[str, Any]:
    """The JSON schema (draft 7) of ``datasheet.toml``, for editors with TOML support."""
    (root,), definitions = msgspec.json.schema_components(
        [Settings], ref_template="#/definitions/{name}"
    )
    top = definitions.pop(root["$ref"].rpartition("/")[2])
    schema = {
        "$schema": "http://json-schema.org/draft-07/schema#",
        **top,
        "title": FILE_NAME,
        "definitions": definitions,
    }
    result: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(schema))  # plain JSON types
    return result


def read_settings(root: Path | None, options: Any = None) -> tuple[Settings, list[Problem]]:
    """The settings of the workspace ``root``, and a problem for each key that is wrong.

    ``options`` are the editor's (``initializationOptions`` or ``workspace/configuration``):
    nested mappings or namedtuples, the whole or under the key ``datasheet``. Never raises.
    """
    settings, problems = decode_options(options)
    if root is None:
        return settings, problems
    path = root / FILE_NAME
    try:
        if not path.exists():
            return settings, problems
        data = path.read_bytes()
    except OSError as error:
        reason = error.strerror or str(error)
        problems.append(Problem(path, None, f"{FILE_NAME} cannot be read ({reason}): {_UNUSED}"))
        return settings, problems
    if len(data) > MAX_BYTES:
        problems.append(Problem(path, None, f"{FILE_NAME} is larger than 1 MB: {_UNUSED}"))
        return settings, problems
    found, wrong = decode_toml(data, path, settings)
    return found, problems + wrong


_UNUSED = "the default settings are used."


def decode_options(options: Any) -> tuple[Settings, list[Problem]]:
    """The settings that the editor's options give, and a problem for each wrong one."""
    if options is None:
        return Settings(), []
    raw = plain(options)
    if isinstance(raw, dict) and isinstance(raw.get(SECTION), dict):
        raw = raw[SECTION]
    problems: list[Problem] = []

    def report(key: KeyPath, message: str) -> None:
        problems.append(Problem(None, None, f"Option of the editor: {message}"))

    return decode_struct(Settings, raw, report), problems


def decode_toml(
    data: bytes, path: Path, base: Settings | None = None
) -> tuple[Settings, list[Problem]]:
    """The settings a ``datasheet.toml`` gives on top of ``base``, and a problem for each wrong key.

    A file that is no TOML gives one problem with the place, and ``base``. Never raises.
    """
    import tomllib

    start = base or Settings()
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"{FILE_NAME} is not UTF-8 (byte {error.start} on line {line}): {_UNUSED}"
        return start, [Problem(path, line, message)]
    try:
        raw = tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError, ValueError) as error:
        return start, [_broken(path, error)]
    problems: list[Problem] = []

    def report(key: KeyPath, message: str) -> None:
        problems.append(Problem(path, find_line(text, key), message))

    return decode_struct(Settings, raw, report, base=start), problems


def _broken(path: Path, error: Exception) -> Problem:
    place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
    what = re.sub(r"\s*\(at [^()]*\)$", "", str(error))
    if place is None:
        return Problem(path, None, f"{FILE_NAME} is no valid TOML ({what}): {_UNUSED}")
    line, column = int(place[1]), int(place[2])
    where = f"line {line}, column {column}"
    return Problem(path, line, f"{FILE_NAME} is no valid TOML at {where} ({what}): {_UNUSED}")


_HEADER = re.compile(r"^\s*(\[\[?)\s*([^\[\]]+?)\s*\]")
_KEY = re.compile(r"^\s*((?:[\w-]+|\"[^\"]*\"|'[^']*')(?:\s*\.\s*[\w-]+)*)\s*=")


def find_line(text: str, key: KeyPath) -> int | None:
    """The 1-based line of TOML ``text`` where ``key`` stands, that of its table if not plain."""
    best: int | None = None
    best_length = 0
    table: KeyPath = ()
    counts: dict[str, int] = {}
    for number, line in enumerate(text.split("\n"), 1):
        if header := _HEADER.match(line):
            names = _split(header[2])
            if header[1] == "[[":
                counts[names[0]] = counts.get(names[0], -1) + 1
            at = counts.get(names[0])
            table = tuple(names) if at is None else (names[0], at, *names[1:])
            here = table
        elif found := _KEY.match(line):
            here = (*table, *_split(found[1]))
        else:
            continue
        if len(here) > best_length and key[: len(here)] == here:
            best, best_length = number, len(here)
    return best


def _split(dotted: str) -> list[str]:
    parts = re.findall(r"\"[^\"]*\"|'[^']*'|[^.\s]+", dotted)
    return [part.strip("\"'") for part in parts]
