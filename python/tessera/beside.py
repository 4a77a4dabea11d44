"""Compares a program with what XLA made of the same function: `program.compare(compiled)`."""

from __future__ import annotations

from typing import Any, Callable, Optional, Sequence

from .results import Report

_MEMORY = ("arguments", "results", "donated", "temporaries", "peak")


def _kinds(report: Report) -> dict[str, tuple[float, float]]:
    """Returns, for each kind of collective, how many run in a step, and the bytes that a device sends."""
    found: dict[str, tuple[float, float]] = {}
    for row in report["collectives"]:
        name = row["op"].split(".")[-1]
        number, sent = found.get(name, (0, 0))
        found[name] = number + row["times"], sent + row["wire_bytes"] * row["times"]
    return found


def memory_of(compiled: Any) -> Optional[dict[str, int]]:
    """Returns XLA's figures for one device; None if it has none."""
    analysis = getattr(compiled, "memory_analysis", lambda: None)()
    if analysis is None:
        return None
    sizes = {
        "arguments": analysis.argument_size_in_bytes,
        "results": analysis.output_size_in_bytes,
        "donated": analysis.alias_size_in_bytes,
        "temporaries": analysis.temp_size_in_bytes,
    }
    return dict(sizes, peak=sum(sizes.values()) - 2 * sizes["donated"])


def _amount(value: Optional[float], unit: str = "B") -> str:
    if value is None:
        return "-"
    for power in ("", "k", "M", "G", "T"):
        if value < 1000 or power == "T":
            return f"{value:.3g} {power}{unit}"
        value /= 1000
    raise AssertionError


class Comparison(dict[str, Any]):
    """The "memory" of one device in bytes and the "collectives" in a step, as {name: (ours, XLA's)};
    for each collective a pair of "number" and one of "sent_bytes".  Prints as a table."""

    def __init__(self, ours: Report, theirs: Report, memory: Optional[dict[str, int]]):
        mine, other = _kinds(ours), _kinds(theirs)
        there = memory if memory is not None else theirs["memory"]
        super().__init__(
            memory={name: (ours["memory"][name], there[name]) for name in _MEMORY},
            collectives={
                name: {
                    "number": (mine.get(name, (0, 0))[0], other.get(name, (0, 0))[0]),
                    "sent_bytes": (mine.get(name, (0, 0))[1], other.get(name, (0, 0))[1]),
                }
                for name in sorted({*mine, *other})
            },
        )
        # XLA's own memory figures, or ours for its HLO.
        self.memory_is_from = "XLA" if memory is not None else "its HLO"

    def _rows(self) -> list[Sequence[str]]:
        def row(name: str, pair: Sequence[float], show: Callable[[float], str]) -> Sequence[str]:
            ratio = f"{pair[0] / pair[1]:.2f}" if pair[1] else ""
            return name, show(pair[0]), show(pair[1]), ratio

        rows: list[Sequence[str]] = [("memory of one device", "tessera", "XLA", "ratio")]
        rows += [row("  " + name, pair, _amount) for name, pair in self["memory"].items()]
        rows.append(("communication in a step", "", "", ""))
        sent = [sum(k["sent_bytes"][i] for k in self["collectives"].values()) for i in (0, 1)]
        rows.append(row("  sent by one device", sent, _amount))
        for name, kind in self["collectives"].items():
            rows.append(row("  " + name, kind["number"], "{:g}".format))
            rows.append(row("    bytes sent", kind["sent_bytes"], _amount))
        return rows

    def __str__(self) -> str:
        rows = self._rows()
        widths = [max(len(r[i]) for r in rows) for i in range(4)]
        return "\n".join(
            f"{r[0]:<{widths[0]}}  " + "  ".join(f"{c:>{n}}" for c, n in zip(r[1:], widths[1:]))
            for r in rows
        )

    __repr__ = __str__
