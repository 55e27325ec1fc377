"""Which keys each kind of rule file may hold. What stands inside a rule is read by ``rule.py``."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Discriminator, Field, Tag

from kb.language.model import Encoding, StatedBy
from kb.language.shape import Shape


def _quoted(value: object) -> object:
    if isinstance(value, int):
        raise ValueError(f"{str(value).lower()} is not text; put it in quotes")
    if value == "":
        raise ValueError("the text is missing; write it")
    return value


Text = Annotated[str, BeforeValidator(_quoted)]
Texts = dict[str, Text]


class RulingShape(Shape):
    """Where facts of a kind stand in the ruling."""

    section: Text
    shows: dict[str, Any] = Field(default_factory=dict)
    cites: bool = True


class KindShape(Shape):
    """A kind of fact."""

    fields: dict[str, Text]
    says: Texts
    stated_by: StatedBy
    one_per: list[Text] | None = None
    asks: Texts | None = None
    ruling: RulingShape | None = None


class MoreVocabularyShape(Shape):
    """vocabulary.yaml of a draft; its words are told as it says"""

    words: dict[str, list[Text] | dict[str, Texts]] = Field(default_factory=dict)
    kinds: dict[str, KindShape] = Field(default_factory=dict)


class VocabularyShape(Shape):
    """vocabulary.yaml"""

    languages: list[Text]
    words: dict[str, list[Text]] = Field(default_factory=dict)
    kinds: dict[str, KindShape]


class RuleShape(Shape):
    """One rule."""

    id: Text | None = None
    when: list[Any]
    unless: Any = None
    then: Any
    because: Texts


class ClauseShape(Shape):
    """One clause of the law."""

    says: Texts
    encoded_as: Encoding
    source: Literal["recalled", "seen"] | None = None
    reason: Texts | None = None
    note: Texts | None = None
    rules: list[RuleShape] = Field(default_factory=list)


class RepealShape(Shape):
    """A clause that an amendment takes away."""

    repealed: Literal[True]


def _either(value: object) -> str:
    return "repeal" if isinstance(value, dict) and "repealed" in value else "clause"


_Repeal = Annotated[RepealShape, Tag("repeal")]
AnyClause = Annotated[Annotated[ClauseShape, Tag("clause")] | _Repeal, Discriminator(_either)]


class DefinitionShape(Shape):
    """Machinery that no law owns."""

    says: Texts
    note: Texts | None = None
    rules: list[RuleShape]


AnyDefinition = Annotated[Annotated[DefinitionShape, Tag("clause")] | _Repeal, Discriminator(_either)]


class LawShape(Shape):
    """One law; an amendment need not repeat its title."""

    title: Texts | None = None
    clauses: dict[str, AnyClause]


class LawFile(LawShape):
    """A file about one law."""

    law: Text
    definitions: dict[str, AnyDefinition] = Field(default_factory=dict)


class LawsFile(Shape):
    """A file about several laws, or of definitions alone."""

    laws: dict[str, LawShape] = Field(default_factory=dict)
    definitions: dict[str, AnyDefinition] = Field(default_factory=dict)


class EditionShape(Shape):
    """edition.yaml"""

    edition: Text
    title: Texts
    authority: Text
    in_force: Text
    amends: Text | None = None
    clauses: list[Text] | None = None
    offers: dict[str, list[Text]] = Field(default_factory=dict)
    scored: Literal["duplicate", "otherwise"] = "duplicate"


class ElectionShape(Shape):
    """What an authority chose where its edition left a choice."""

    election: Text
    title: Texts
    authority: Text
    of: list[Text]
    under: Text
    clauses: dict[str, AnyClause]
