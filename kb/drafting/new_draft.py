"""What is written for an editor: cases from rulings, and the first files of a draft."""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from pathlib import Path
from typing import Any, Final

from facts.errors import Faults, InputError, Place, did_you_mean
from facts.to_yaml import without_law, yaml_text
from facts.yaml_reader import read_text, read_yaml
from kb.language.clauses import law_of
from kb.language.folders import CASES, EDITION
from kb.language.model import Clause, Edition
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict

EXPECTED_OF_A_REVOKE: Final = ("hand", "trick", "status", "automatic-tricks")
EXPECTED_OF_A_RECTIFICATION: Final = ("kind", "seat", "card", "law")


def as_case(ruling: Ruling, id: str, title: str) -> str:
    """A case that expects this ruling; its source and its reason are for the editor to write."""
    case = {
        "id": id,
        "source": "where it comes from is still to be written",
        "title": title,
        "incident": without_law(ruling.incident),
        "expect": [expected_of(ruling)],
        "why": "why the law says so is still to be written",
    }
    return laid_out([case])


def laid_out(value: Any) -> str:
    """YAML as a case is written: what holds only single values stands on a line of its own."""
    return yaml_text(value, width=inf)


def expected_of(ruling: Ruling) -> dict[str, Any]:
    """What a case expects that takes a ruling as it is."""
    ruled = verdict(ruling)
    elections = {"elections": list(ruling.edition.elections)} if ruling.edition.elections else {}
    done = [_only(entry, EXPECTED_OF_A_RECTIFICATION) for entry in ruled["rectifications"]]
    return {
        "edition": ruling.edition.id,
        **elections,
        "revokes": [_only(revoke, EXPECTED_OF_A_REVOKE) for revoke in ruled["revokes"]],
        "transfer": ruled["transfer"],
        "cited": ruled["cited"],
        **({"rectifications": done} if done else {}),
        **({"parts": ruled["parts"]} if "parts" in ruled else {}),
        "open": ruled["open"],
    }


def _only(entry: Mapping[str, Any], keys: tuple[str, ...]) -> dict[str, Any]:
    return {key: entry[key] for key in keys if entry.get(key) is not None}


SCHEMAS: Final = ".schema"
MOST_CASES: Final = 8
"""Of those that cite a clause, the shortest, so that a beginning stays readable."""
NUMBER: Final = re.compile(r"\d{1,3}[A-Za-z0-9]{0,6}")
"""A clause: its law, and what it is called in it."""
_SAYS_NEW: Final = re.compile(r"\s*new: true\s*(#.*)?")


def new_draft(folder: Path, base: Edition, changed: Sequence[str] = (), added: Sequence[str] = ()) -> dict[str, str]:
    """The files of a draft in that folder, which bears its name: path within it -> text, ``edition.yaml`` last.

    The clauses ``changed`` stand in it as they are, and those ``added`` are empty; InputError names each of them that
    there is not, or that there is already.
    """
    faults = Faults()
    for ref in (ref for ref in changed if ref not in base.clauses):
        faults.add(Place(ref, 1), f"{base.id} has no clause {ref}", did_you_mean(ref, base.clauses))
    for ref in added:
        if ref in base.clauses:
            faults.add(Place(ref, 1), f"{base.id} has a clause {ref}", "name it without --new, to change it")
        elif not NUMBER.fullmatch(ref):
            mend = "write the number of its law, then letters and digits"
            faults.add(Place(ref, 1), "this is no number of a clause", mend)
    if faults:
        raise InputError(faults)
    clauses, files = [base.clauses[ref] for ref in changed], dict[str, str]()
    for law in dict.fromkeys([*(clause.law for clause in clauses), *map(law_of, added)]):
        of_law = [clause for clause in clauses if clause.law == law]
        file = f"law-{law}.yaml" if law else "definitions.yaml"
        files[file] = _law_file(base, law, of_law, [ref for ref in added if law_of(ref) == law])
        if law and (cases := "\n".join(_cases(folder.name, base, of_law))):
            files[f"{CASES}/{file}"] = cases
    name = folder.name
    titles = ", ".join(
        f"{lang}: {json.dumps(f'{text} – {name}', ensure_ascii=False)}" for lang, text in base.title.items()
    )
    shipped = base.folders[-1].parent == base.folders[0]
    amends = base.id if shipped else os.path.relpath(base.folders[-1].resolve(), folder.resolve())
    edition_line, of_base = yaml_text({"edition": name}, flow=False), yaml_text({"amends": amends}, flow=False)
    head = f'{edition_line}title: {{{titles}}}\nauthority: a proposal\nin-force: "not yet"\nformat: 1\n{of_base}'
    return {**files, EDITION: head}


def write_draft(folder: Path, files: Mapping[str, str]) -> None:
    """Writes them all, YAML with the line by which an editor's program finds its schema in the draft, or, where one
    cannot be written, nothing; OSError if that is so, InputError if the folder is there."""
    if folder.exists():
        raise InputError.of(folder, "there is such a folder already", "choose another")
    beginning = folder.with_name(f".{folder.name}.{os.getpid()}.new")
    try:
        for name, text in files.items():
            file = beginning / name
            file.parent.mkdir(parents=True, exist_ok=True)
            sort = "edition" if name == EDITION else "case" if name.startswith(CASES) else "law"
            head = f"# yaml-language-server: $schema={'../' * name.count('/')}{SCHEMAS}/{sort}.json\n"
            file.write_text(f"{head if file.suffix == '.yaml' else ''}{text}", "utf-8", newline="\n")
        beginning.rename(folder)
    finally:
        shutil.rmtree(beginning, ignore_errors=True)


def _law_file(base: Edition, law: str, clauses: Sequence[Clause], added: Sequence[str]) -> str:
    unwritten = ", ".join(f'{lang}: "still to be written"' for lang in base.vocabulary.languages)
    title = [] if law in base.laws else [f"title: {{{unwritten}}}"]
    head = [f'law: "{law}"', *title, "clauses:"] if law else ["definitions:"]
    new = (
        f"""\
  "{ref}":
    new: true
    says: {{{unwritten}}}
    encoded-as: not-encoded  # rules, as soon as it has some: they take the place of the reason
    reason: {{{unwritten}}}"""
        for ref in added
    )
    return "\n".join([*head, *(_clause_text(clause) for clause in clauses), *new]) + "\n"


def _clause_text(clause: Clause) -> str:
    """The lines of a clause as they stand in its file: from its key to the next line that stands no further in."""
    lines = Path(clause.place.file).read_text(encoding="utf-8").split("\n")[clause.place.line - 1 :]
    lines = [line for line in lines if not _SAYS_NEW.fullmatch(line)]  # what is added there is replaced here
    margin = len(lines[0]) - len(lines[0].lstrip())
    end = next(
        (n for n, line in enumerate(lines[1:], 1) if line.strip() and len(line) - len(line.lstrip()) <= margin),
        len(lines),
    )
    return "\n".join(f"  {line[margin:]}".rstrip() for line in lines[:end]).rstrip()


def _cases(name: str, base: Edition, clauses: Sequence[Clause]) -> Iterator[str]:
    """The shortest cases of the edition that speak of each clause, expected of the draft what is expected of it."""
    written: list[dict[str, Any]] = []  # as they are, with only what they expect of it
    for file in sorted((base.folders[-1] / CASES).glob("*.yaml")) if clauses else ():
        for item in read_yaml(read_text(file), str(file)).items:
            case: Any = item.plain()
            expect = [expected for expected in case["expect"] if expected["edition"] == base.id]
            written += [{**case, "expect": expect}] if expect else []

    def speaks(case: Mapping[str, Any], ref: str) -> bool:
        laws = (law for expected in case["expect"] for key in ("cited", "not-cited") for law in expected.get(key, ()))
        return ref in map(str, laws)

    drafted: dict[str, str] = {}
    for ref in (clause.ref for clause in clauses):
        speaking = (case for case in written if speaks(case, ref))
        for case in sorted(speaking, key=lambda case: len(str(case)))[:MOST_CASES]:
            expect = [{**expected, "edition": name} for expected in case["expect"]]
            drafted.setdefault(case["id"], laid_out([{**case, "id": f"{case['id']}-{name}", "expect": expect}]))
    return iter(drafted.values())
