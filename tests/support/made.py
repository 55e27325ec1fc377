"""What stands in the documents between two marks and is made from the code.

``uv run python -m tests.support.made`` makes it anew.
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from kb.language.checks import OF_A_RULE, OF_ALL_EDITIONS, OF_AN_EDITION, id_of
from kb.language.edition import load_edition
from kb.language.folders import edition_ids, rules_root
from kb.prove.deep import own_claims
from kb.prove.properties import Property
from kb.prove.prove import provings

from .layers import drawing
from .reference import commands, error_tree, http, incident_keys, python, ruling_keys

HERE: Final = Path(__file__).parents[2]


def support() -> str:
    """A line for each file of tests/support: what it says of itself first."""
    files = sorted(file for file in Path(__file__).parent.glob("*.py") if file.read_text(encoding="utf-8"))
    first = {file.name: ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or "" for file in files}
    return "\n".join(
        ["| file | what it is |", "|---|---|", *(f"| `{n}` | {t.split(chr(10))[0]} |" for n, t in first.items())]
    )


CHECKS: Final = {
    "a rule": OF_A_RULE,
    "an edition": OF_AN_EDITION,
    "the vocabulary and all editions": OF_ALL_EDITIONS,
}
"""All of them, by what each looks at."""


def checks() -> str:
    """The pages of all checks, Markdown."""
    return "\n".join(
        f"## Of {of}\n\n" + "\n".join(f"### {id_of(check)}\n\n{inspect.getdoc(check)}\n" for check in some)
        for of, some in CHECKS.items()
    )


def claims() -> str:
    """What the file of each shipped edition claims: the sentence, the clauses, and why it may fail."""
    root = rules_root()
    parts: list[str] = []
    for name in sorted(edition_ids(root), reverse=True):
        edition = load_edition(root, name)
        proofs = provings(root, edition)
        own = {name for proving in proofs for name in own_claims(proving)}
        base = f" Beside these, what is claimed of `{edition.amends}`." if edition.amends else ""
        parts += [f"## {edition.called('en')}", "", f"{len(own)} properties are stated or changed for it.{base}", ""]
        parts += ["| property | what is claimed | clauses | except |", "|---|---|---|---|"]
        parts += [_claim(one) for proving in proofs for id, one in proving.claimed.properties.items() if id in own]
        parts.append("")
    return "\n".join(parts)


def _claim(one: Property) -> str:
    excepted = " ".join(each.because["en"] for each in one.expected)
    return f"| `{one.id}` | {one.says['en']} | {', '.join(one.laws)} | {excepted} |"


MADE: Final[dict[str, tuple[Callable[[], str], ...]]] = {
    "docs/architecture.md": (drawing,),
    "docs/checks.md": (checks,),
    "docs/reference/claims.md": (claims,),
    "docs/reference/commands.md": (commands,),
    "docs/reference/errors.md": (error_tree,),
    "docs/reference/http.md": (http,),
    "docs/reference/incident.md": (incident_keys,),
    "docs/reference/python.md": (python,),
    "docs/reference/ruling.md": (ruling_keys,),
    "tests/README.md": (support,),
}
"""Document -> what is made for it, one after the other."""
_BETWEEN: Final = re.compile(r"(?<=<!-- made -->\n).*?(?=<!-- end -->\n)", re.DOTALL)


def with_what_is_made(document: str) -> str:
    """The text of a document with the parts between its marks made anew."""
    parts = iter(MADE[document])
    text = (HERE / document).read_text(encoding="utf-8")
    made, times = _BETWEEN.subn(lambda _: f"\n{next(parts)().strip()}\n\n", text)
    assert times == len(MADE[document]), f"{document} has other marks"
    return made


if __name__ == "__main__":
    for name in MADE:
        (HERE / name).write_text(with_what_is_made(name), encoding="utf-8")
