"""The survivors that an edition knows of: ``mutants.yaml`` beside its rules, each with why no case can notice it."""

from __future__ import annotations

from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter, ValidationError

from facts.errors import Fault, InputError, Place
from facts.readers.mending import faults_in
from facts.yaml_reader import read_text, read_yaml
from kb.language.folders import MUTANTS


class Known(BaseModel):
    """Mutants that survive for one reason."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    why: str
    mutants: tuple[str, ...]
    """Their names, as ``revoke test --mutate`` tells them."""


_FILE = TypeAdapter(tuple[Known, ...])


def known_survivors(folder: Path) -> dict[str, tuple[str, Place]]:
    """Name of a mutant -> why it survives, and where that stands; nothing where there is no such file."""
    file = folder / MUTANTS
    if not file.is_file():
        return {}
    node = read_yaml(read_text(file), str(file))
    try:
        groups = _FILE.validate_python(node.plain())
    except ValidationError as error:
        raise InputError(faults_in(error, node, lambda _: list(Known.model_fields))) from None
    known: dict[str, tuple[str, Place]] = {}
    faults: list[Fault] = []
    for number, group in enumerate(groups):
        for at, name in enumerate(group.mutants):
            place = node.place_at((number, "mutants", at))
            if name in known:
                faults.append(Fault(place, f"{name} stands here twice", "keep one of the two"))
            known[name] = (" ".join(group.why.split()), place)
    if faults:
        raise InputError(faults)
    return known
