"""Results for people: reports, findings, explanations, differences.

Each is the data of `tess … --json`, prints as the command does, and shows itself in a
notebook.  Texts and pages are made when they are needed.
"""

from __future__ import annotations

import html
import itertools
import os
import sys
from typing import Any, Callable, Iterator, Optional, Sequence, Union

from ._library import COLOR, HTML, TEXT
from .sharding import Sharding


def _in_terminal() -> bool:
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def shown(text: str, rest: str) -> str:
    """Cuts a long text for a terminal, and adds how many lines were left out and that `rest` has them.
    Files and pipes get the whole text."""
    most, slack = 200, 20  # a few lines more are no reason to cut
    if not sys.stdout.isatty() or text.count("\n") <= most + slack:
        return text
    lines = text.splitlines()
    return "\n".join(lines[:most]) + f"\n… and {len(lines) - most} more lines; {rest}"


class _Kept:
    """The texts of a pickled result, without the program that made them."""

    def __init__(self, render: Callable[[int], str], *kinds: int):
        self.texts = {kind: render(kind) for kind in kinds}

    def __call__(self, kind: int) -> str:
        return self.texts[TEXT if kind == COLOR else kind]


class _Printed:
    """A result that prints as the command does."""

    _render: Callable[[int], str]

    @property
    def text(self) -> str:
        """The text that the command prints."""
        return self._render(TEXT)

    def __str__(self) -> str:
        return shown(self.text, "`.text` has all")

    __repr__ = __str__


class _Page:
    """A result that is also a page, which a notebook shows."""

    _render: Callable[[int], str]

    @property
    def html(self) -> str:
        """One self-contained page."""
        return self._render(HTML)

    def save(self, path: Union[str, "os.PathLike[str]"]) -> None:
        """Writes the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self) -> str:
        return (
            f'<iframe srcdoc="{html.escape(self.html)}" style="width:100%;height:720px;'
            f'border:1px solid #ccc"></iframe>'
        )


class Report(_Page, dict[str, Any]):
    """The JSON of `tess report`.  `print()` prints the text, and a notebook shows the page."""

    def __init__(self, data: dict[str, Any], render: Callable[[int], str]):
        super().__init__(data)
        self._render = render

    def __reduce__(self) -> Any:
        return Report, (dict(self), _Kept(self._render, TEXT, HTML))

    def __str__(self) -> str:
        return self._render(COLOR if _in_terminal() else TEXT)

    def __repr__(self) -> str:
        return (
            f"<tessera.Report of {self['title']!r}: peak {self['memory']['peak']} bytes a device>"
        )


class Finding(dict[str, Any]):
    """One likely mistake: code, title, severity, message, advice, bytes, line, source."""

    @property
    def code(self) -> str:
        return self["code"]

    @property
    def severity(self) -> str:
        return self["severity"]

    def __str__(self) -> str:
        return f"{self['severity']}[{self['code']}]: {self['message']}\n    {self['advice']}"


class Findings(_Printed, Sequence[Finding]):
    """The findings of lint, the most serious first."""

    def __init__(self, found: list[dict[str, Any]], render: Callable[[int], str]):
        self._found, self._render = [Finding(f) for f in found], render

    def __reduce__(self) -> Any:
        return Findings, ([dict(f) for f in self._found], _Kept(self._render, TEXT))

    def __getitem__(self, i: Any) -> Any:
        return self._found[i]

    def __len__(self) -> int:
        return len(self._found)

    def __iter__(self) -> Iterator[Finding]:
        return iter(self._found)


class Advice(_Printed, Sequence[dict[str, Any]]):
    """Changes worth making, the best first: kind, python, source, frames, places, before, after."""

    def __init__(self, data: dict[str, Any], text: str):
        self.data, self._text = data, text

    def __reduce__(self) -> Any:
        return Advice, (self.data, self._text)

    @property
    def text(self) -> str:
        return self._text

    def __getitem__(self, i: Any) -> Any:
        return self.data["advice"][i]

    def __len__(self) -> int:
        return len(self.data["advice"])


class _Text(_Printed, dict[str, Any]):
    def __init__(self, data: dict[str, Any], render: Callable[[int], str]):
        super().__init__(data)
        self._render = render

    def __reduce__(self) -> Any:
        return type(self), (dict(self), _Kept(self._render, TEXT))


class Explanation(_Text):
    """Why a value is sharded: the JSON of `tess explain`, which prints as its text."""


class Difference(_Page, _Text):
    """What changed between two programs: the JSON of `tess diff`.  It prints as its text, and a notebook
    shows the page of both programs, side by side."""

    def __reduce__(self) -> Any:
        return type(self), (dict(self), _Kept(self._render, TEXT, HTML))


class Shardings(dict[str, Optional[Sharding]]):
    """The sharding of each value, by name: a dict that prints one per line, but only the first if many."""

    def __repr__(self) -> str:
        most = 20
        lines = [f"{name}: {s or 'whole'}" for name, s in itertools.islice(self.items(), most)]
        if len(self) > most:
            lines.append(f"… and {len(self) - most} more of {len(self)} values")
        return "\n".join(lines)
