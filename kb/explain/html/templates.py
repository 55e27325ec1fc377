"""Where every page is made: one environment, in which whatever is said comes out escaped."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Any, Final

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

PACKAGES: Final = ("jinja2", "markupsafe")
"""Those that make pages."""
KB: Final = Path(__file__).parents[2]
"""Names of templates, styles and scripts are paths below this: each lies beside its feature."""


@cache
def environment() -> Environment:
    """The environment; a name that a template is not given is an error."""
    made = Environment(
        loader=FileSystemLoader(KB),
        autoescape=True,
        undefined=StrictUndefined,
        auto_reload=False,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        finalize=_unbroken,
    )
    made.globals["file"] = file
    made.policies["json.dumps_kwargs"] = {"ensure_ascii": False, "separators": (",", ":")}
    return made


def _unbroken(value: Any) -> Any:
    """What is shown, with «North–South» on one line: no line ends after a dash between two words."""
    return re.sub(r"(?<=\w)–(?=\w)", "–\u2060", value) if type(value) is str and "–" in value else value


def render(template: str, **context: Any) -> Markup:
    """The page that a template makes of what it is given."""
    return Markup(environment().get_template(template).render(context))


def file(name: str) -> Markup:
    """A style or a script of ours as it is, to stand in a page."""
    return Markup((KB / name).read_text("utf-8"))
