"""The settings of the editor: taken at the start, asked for where the client can be asked."""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Any

from lsprotocol import types

from datasheet_lsp.lsp.client import plain

if TYPE_CHECKING:
    from datasheet_lsp.lsp.language_server import DatasheetServer

logger = logging.getLogger(__name__)

SECTION = "datasheet"
ASK_SECONDS = 2.0
"""How long a client may take to say its settings; then those of the start are used."""

WATCHED = (
    "**/*.svd",
    "**/*.svd.gz",
    "**/*.pack",
    "**/datasheet.toml",
    "**/*.ioc",
    "**/platformio.ini",
    "**/compile_commands.json",
    "**/.vscode/launch.json",
    "**/.cproject",
    "**/*.uvprojx",
)
"""Files that decide which device is meant."""

DOCUMENTS = (".pdf", ".docx", ".pptx", ".xlsx")
"""Ends of the names of files that are documents wherever they lie."""


def section_of(value: Any) -> dict[str, Any]:
    """The settings in what a client sent, wrapped in our section or not; {} for anything else."""
    value = plain(value)
    if not isinstance(value, dict):
        return {}
    inner = value.get(SECTION, value)
    return inner if isinstance(inner, dict) else {}


async def initialized(ls: DatasheetServer, params: types.InitializedParams) -> None:
    """Asks for the settings, has files watched, and loads the devices."""
    await pull(ls)
    ls.projects.start()
    await register(ls)


async def pull(ls: DatasheetServer) -> bool:
    """Asks the client for its settings; whether they differ from those before."""
    if not ls.client.configuration:
        return False
    item = types.ConfigurationItem(section=SECTION)
    try:
        answer = await asyncio.wait_for(
            ls.workspace_configuration_async(types.ConfigurationParams(items=[item])), ASK_SECONDS
        )
    except Exception as error:
        logger.warning("The client did not say its settings: %s", error or type(error).__name__)
        return False
    answer = plain(answer)
    given = answer[0] if isinstance(answer, list) and answer else None
    return take(ls, given if isinstance(given, dict) else {})


def take(ls: DatasheetServer, given: dict[str, Any]) -> bool:
    """Uses ``given`` over the settings of the start; whether anything changed by it."""
    options = {**ls.first_options, **{k: v for k, v in given.items() if v is not None}}
    changed = options != ls.projects.options
    ls.projects.options = options
    return changed


async def did_change_configuration(
    ls: DatasheetServer, params: types.DidChangeConfigurationParams
) -> None:
    """Takes new settings and reads the devices anew where they differ."""
    changed = await pull(ls) if ls.client.configuration else take(ls, section_of(params.settings))
    if changed:
        ls.reload_soon()


async def did_change_watched_files(
    ls: DatasheetServer, params: types.DidChangeWatchedFilesParams
) -> None:
    """Reads the devices anew after their files changed, documents after theirs."""
    uris = [change.uri for change in params.changes]
    if uris and all(uri.lower().endswith(DOCUMENTS) for uri in uris):
        for project in ls.projects.all:
            ls.indexing.soon(project)
    else:
        ls.reload_soon()


async def register(ls: DatasheetServer) -> None:
    """Has the client tell of changed files and settings where it can be told to."""
    wanted: list[types.Registration] = []
    if ls.client.watch_files:
        patterns = (*WATCHED, *(f"**/*{end}" for end in DOCUMENTS))
        watchers = [types.FileSystemWatcher(glob_pattern=pattern) for pattern in patterns]
        wanted.append(
            types.Registration(
                id="datasheet-files",
                method=types.WORKSPACE_DID_CHANGE_WATCHED_FILES,
                register_options=types.DidChangeWatchedFilesRegistrationOptions(watchers=watchers),
            )
        )
    if ls.client.watch_configuration:
        wanted.append(
            types.Registration(
                id="datasheet-settings",
                method=types.WORKSPACE_DID_CHANGE_CONFIGURATION,
                register_options={"section": SECTION},
            )
        )
    if not wanted:
        return
    try:
        await asyncio.wait_for(
            ls.client_register_capability_async(types.RegistrationParams(registrations=wanted)),
            ASK_SECONDS,
        )
    except Exception as error:
        logger.warning("The client watches no files for us: %s", error or type(error).__name__)
