"""Write the core files anew."""

from __future__ import annotations

from pathlib import Path

from datasheet_lsp.svd.cores.sources.families import CORES, render


def main() -> None:
    """Write every core file beside this folder."""
    folder = Path(__file__).resolve().parent.parent
    for core in CORES:
        (folder / core.file).write_bytes(render(core))


if __name__ == "__main__":
    main()
