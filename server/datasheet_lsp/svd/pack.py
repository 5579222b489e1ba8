"""CMSIS packs: zip files with a description (.pdsc) that says which device has which SVD.

Format: https://open-cmsis-pack.github.io/Open-CMSIS-Pack-Spec/main/html/pdsc_family_pg.html
"""

from __future__ import annotations

import posixpath
import zipfile
import zlib
from pathlib import Path

import msgspec
from lxml import etree

from datasheet_lsp.svd.errors import SvdError

MAX_BYTES = 128 * 1024 * 1024


class PackDevice(msgspec.Struct, frozen=True):
    """A device of a pack and the path of its SVD inside."""

    device: str
    svd: str
    vendor: str


def list_pack(path: Path) -> list[PackDevice]:
    """The devices of the pack that have an SVD, in the order of its description.

    Without a usable description each SVD stands for a device of its own name.

    Raises:
        SvdError: the file is no readable zip.
    """
    with _open(path) as pack:
        return _devices(pack, path)


def read_member(path: Path, member: str | None) -> tuple[bytes, str]:
    """The bytes and the inner path of the SVD for ``member``, a device or an inner path.

    Raises:
        SvdError: there is none, or several and no choice was given.
    """
    with _open(path) as pack:
        devices = _devices(pack, path)
        names = sorted({device.svd for device in devices})
        if not names:
            raise SvdError(f"{path.name} has no SVD file in it.")
        if member is None:
            if len(names) > 1:
                raise SvdError(
                    f"{path.name} has {len(names)} SVD files: name a device of it, such as "
                    f"{devices[0].device!r}."
                )
            chosen = names[0]
        else:
            chosen = _choose(devices, member, path)
        return _read(pack, chosen, path), chosen


def _choose(devices: list[PackDevice], member: str, path: Path) -> str:
    wanted = member.replace("\\", "/").casefold()
    for device in devices:
        if device.svd.casefold() == wanted or device.device.casefold() == wanted:
            return device.svd
    for device in devices:
        stem = posixpath.splitext(posixpath.basename(device.svd))[0].casefold()
        if wanted in (posixpath.basename(device.svd).casefold(), stem):
            return device.svd
    # A full order code is longer than the pack's name of the device.
    longest = max(
        (d for d in devices if len(d.device) > 4 and wanted.startswith(d.device.casefold())),
        key=lambda d: len(d.device),
        default=None,
    )
    if longest is not None:
        return longest.svd
    some = ", ".join(device.device for device in devices[:5])
    raise SvdError(f"{path.name} has no device {member!r}; it has {some} and others.")


def _open(path: Path) -> zipfile.ZipFile:
    try:
        return zipfile.ZipFile(path)
    except OSError as error:
        raise SvdError(f"{path.name} cannot be read: {error.strerror or error}.") from None
    except zipfile.BadZipFile:
        raise SvdError(f"{path.name} is no CMSIS pack: it is not a zip file.") from None


def _read(pack: zipfile.ZipFile, name: str, path: Path) -> bytes:
    try:
        with pack.open(name) as file:
            data = file.read(MAX_BYTES + 1)
    except (KeyError, zipfile.BadZipFile, zlib.error, OSError, EOFError, RuntimeError):
        # RuntimeError: the member is encrypted.
        raise SvdError(f"{name} in {path.name} cannot be unpacked: get the pack anew.") from None
    if len(data) > MAX_BYTES:
        raise SvdError(f"{name} in {path.name} is larger than any SVD file: it is not read.")
    return data


def _devices(pack: zipfile.ZipFile, path: Path) -> list[PackDevice]:
    names = {name.casefold(): name for name in pack.namelist()}
    found: list[PackDevice] = []
    for name in pack.namelist():
        if name.lower().endswith(".pdsc") and "/" not in name.strip("/"):
            found.extend(_described(_read(pack, name, path), names))
    if found:
        return found
    return [
        PackDevice(posixpath.splitext(posixpath.basename(name))[0], name, "")
        for name in sorted(pack.namelist())
        if name.lower().endswith(".svd")
    ]


def _described(data: bytes, names: dict[str, str]) -> list[PackDevice]:
    """Walk family, subFamily, device and variant; each level may name the SVD."""
    if b"<!DOCTYPE" in data[:4096]:
        return []
    parser = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
    root = etree.fromstring(data, parser)
    if root is None:
        return []
    found: list[PackDevice] = []

    def visit(element: etree._Element, svd: str | None, vendor: str) -> None:
        vendor = element.get("Dvendor", vendor).partition(":")[0]
        for debug in element.findall("{*}debug"):
            inner = (debug.get("svd") or "").replace("\\", "/")
            svd = names.get(posixpath.normpath(inner).casefold(), svd) if inner else svd
        parts = element.iterchildren("{*}subFamily", "{*}device", "{*}variant")
        name = element.get("Dvariant") or element.get("Dname")
        if name and svd:
            found.append(PackDevice(name, svd, vendor))
        for part in parts:
            visit(part, svd, vendor)

    for family in root.iter("{*}family"):
        visit(family, None, "")
    return found
