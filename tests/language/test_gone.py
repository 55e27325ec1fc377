"""Files of an earlier or later format: what went is told with the version in which it went."""

from __future__ import annotations

import re

import pytest

from facts import __version__
from facts.errors import Faults
from facts.form import NOWHERE, FromFile, form_of, keys_of
from facts.to_yaml import node_of
from kb.language.model import EditionForm, ElectionForm, Note
from kb.language.vocabulary import KindForm
from kb.prove.properties import PropertyForm

FORMS = (ElectionForm, KindForm, Note, PropertyForm)


@pytest.mark.parametrize("form", FORMS)
def test_a_key_that_went_is_told_with_its_version(form: type[FromFile]) -> None:
    assert form.gone and not {*form.gone} & {*keys_of(form)}
    faults = Faults()
    form_of(form).read(node_of(dict.fromkeys(form.gone, "x"), NOWHERE), faults)
    told = {fault.what: fault.mend for fault in faults}
    for key, mend in form.gone.items():
        since = re.match(r"it went with (\d+\.\d+\.\d+): ", mend)
        assert since and told[f"'{key}' is no key here"] == mend
        assert since[1] <= __version__  # while no part of either has two digits


@pytest.mark.parametrize(("said", "right"), [({}, True), ({"format": 1}, True), ({"format": 2}, False)])
def test_a_draft_says_its_format(said: dict[str, int], right: bool) -> None:
    faults = Faults()
    form_of(EditionForm).read(node_of(said, NOWHERE), faults)
    assert right == all("2" not in fault.what for fault in faults)
