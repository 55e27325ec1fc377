"""Ruling on plain incident dicts, as tests make them."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from facts.incident import Incident
from facts.readers.incident_file import incident_of
from facts.yaml_reader import read_yaml
from kb.explain.words import Speaker, load_words
from kb.language.folders import rules_root
from kb.ruling.laws import EngineName, Law, Laws
from kb.ruling.make_ruling import rule
from kb.ruling.ruling import Ruling
from kb.ruling.verdict import verdict
from support.tables import shipped

ROOT: Path = rules_root()


@cache
def laws(engine: EngineName = "quick") -> Laws:
    """The shipped editions on one engine."""
    return Laws(ROOT, engine)


def law(edition: str = "duplicate-2017", engine: EngineName = "quick") -> Law:
    """A shipped edition."""
    return laws(engine).of(edition)


@cache
def speaker_of(lang: str = "en") -> Speaker:
    """The words of the shipped rules."""
    vocabulary = law().edition.vocabulary
    return Speaker(load_words(ROOT, vocabulary), vocabulary, lang)


def incident(stated: dict[str, Any]) -> Incident:
    """The incident of a dict that is laid out like an incident file."""
    return incident_of(read_yaml(json.dumps(stated, ensure_ascii=False), "test.yaml"), shipped)


def ruled(stated: dict[str, Any], engine: EngineName = "quick") -> Ruling:
    """The ruling on such a dict."""
    read = incident(stated)
    return rule(laws(engine).of(read.edition, read.elections), read)


def ruled_verdict(stated: dict[str, Any], engine: EngineName = "quick") -> dict[str, Any]:
    """What is ruled, without words."""
    return verdict(ruled(stated, engine))
