"""Pictures of measures, drawn by matplotlib where the plot extra is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from datasheet_lsp.cli.errors import CliError

_BINS = 30


def histogram(path: Path, series: Mapping[str, Sequence[float]], *, title: str, axis: str) -> None:
    """Draws how often each value occurs, a colour for each of ``series``, into ``path``.

    Raises:
        CliError: matplotlib is not installed, or the file cannot be written.
    """
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise CliError(
            "pictures need matplotlib, which is not installed: pip install 'datasheet-lsp[plot]'."
        ) from None
    values = [value for each in series.values() for value in each]
    low, high = min(values), max(values)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    edges = [low + (high - low) * step / _BINS for step in range(_BINS + 1)]
    figure = Figure(figsize=(8, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for name, each in series.items():
        axes.hist(each, bins=edges, alpha=0.7, label=name)
    axes.set_title(title)
    axes.set_xlabel(axis)
    axes.set_ylabel("how often")
    axes.locator_params(axis="y", integer=True)
    axes.legend()
    try:
        figure.savefig(path, dpi=120)
    except OSError as error:
        raise CliError(f"{path} cannot be written: {error.strerror or error}.") from None
