"""The survivors that an edition knows of: ``mutants.yaml`` beside its rules, each with why no case can notice it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from facts.errors import Fault, InputError, Place
from facts.form import FromFile, Placed
from facts.readers.form import read_form
from facts.yaml_reader import read_text, read_yaml
from kb.language.folders import MUTANTS


@dataclass(frozen=True, slots=True)
class Known(FromFile):
    """Mutants that survive for one reason."""

    why: str
    mutants: tuple[Placed[str], ...]
    """Their names, as ``revoke test --mutate`` tells them."""


def known_survivors(folder: Path) -> dict[str, tuple[str, Place]]:
    """Name of a mutant -> why it survives, and where that stands; nothing where there is no such file."""
    file = folder / MUTANTS
    if not file.is_file():
        return {}
    faults: list[Fault] = []
    groups: tuple[Known, ...] = read_form(tuple[Known, ...], read_yaml(read_text(file), str(file)), faults)
    known: dict[str, tuple[str, Place]] = {}
    for group in groups:
        for name in group.mutants:
            if name.value in known:
                faults.append(Fault(name.place, f"{name.value} stands here twice", "keep one of the two"))
            known[name.value] = (" ".join(group.why.split()), name.place)
    if faults:
        raise InputError(sorted(faults))
    return known
