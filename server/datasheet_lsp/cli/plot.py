"""Pictures of measures, drawn by matplotlib where the plot extra is installed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from datasheet_lsp.cli.errors import CliError

_BINS = 30


def histogram(path: Path, series: Mapping[str, Sequence[float]], *, title: str, axis: str) -> None:
    """Draws how often each value occurs, a colour for each of ``series``, into ``path``.

    Raises:
        CliError: matplotlib is not installed, or the file cannot be written.
    """
    figure = _figure(8, 4.5)
    values = [value for each in series.values() for value in each]
    low, high = min(values), max(values)
    if high <= low:
        low, high = low - 0.5, high + 0.5
    edges = [low + (high - low) * step / _BINS for step in range(_BINS + 1)]
    axes = figure.add_subplot()
    for name, each in series.items():
        axes.hist(each, bins=edges, alpha=0.7, label=name)
    axes.set_title(title)
    axes.set_xlabel(axis)
    axes.set_ylabel("how often")
    axes.locator_params(axis="y", integer=True)
    axes.legend()
    _save(figure, path)


def bars(
    path: Path,
    series: Mapping[str, Mapping[str, tuple[float, float, float]]],
    *,
    title: str,
    axis: str,
) -> None:
    """Draws rates (rate, low, high; 0 to 1) as bars with their intervals, grouped by name.

    ``series`` has for each colour the rates by group.

    Raises:
        CliError: matplotlib is not installed, or the file cannot be written.
    """
    groups = list(dict.fromkeys(group for each in series.values() for group in each))
    figure = _figure(max(6.0, 1.6 * len(groups)), 4.5)
    axes = figure.add_subplot()
    width = 0.8 / max(1, len(series))
    for number, (name, rates) in enumerate(series.items()):
        places = [groups.index(group) + (number + 0.5) * width - 0.4 for group in rates]
        values = [rate for rate, _, _ in rates.values()]
        below = [rate - low for rate, low, _ in rates.values()]
        above = [high - rate for rate, _, high in rates.values()]
        axes.bar(places, values, width * 0.9, yerr=(below, above), capsize=3, label=name)
    axes.set_xticks(range(len(groups)), groups)
    axes.set_ylim(0, 1)
    axes.set_title(title)
    axes.set_ylabel(axis)
    axes.legend()
    _save(figure, path)


def _figure(width: float, height: float) -> Any:
    try:
        from matplotlib.figure import Figure
    except ImportError:
        raise CliError(
            "pictures need matplotlib, which is not installed: pip install 'datasheet-lsp[plot]'."
        ) from None
    return Figure(figsize=(width, height), layout="constrained")


def _save(figure: Any, path: Path) -> None:
    try:
        figure.savefig(path, dpi=120)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise CliError(f"{path} cannot be written: {reason}.") from None
