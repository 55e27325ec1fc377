"""One environment makes every page: what is said comes out escaped, and what a template is not given is an error."""

from __future__ import annotations

import pytest
from jinja2 import meta
from jinja2.exceptions import UndefinedError

from kb.explain.html import KB, environment, render
from kb.explain.page import Line, Part

TEMPLATES = sorted(str(file.relative_to(KB).as_posix()) for file in KB.rglob("*.html"))


@pytest.mark.parametrize("name", TEMPLATES)
def test_each_template_can_be_read_and_what_it_refers_to_is_there(name: str) -> None:
    environment().get_template(name)
    source = environment().parse((KB / name).read_text("utf-8"))
    for other in meta.find_referenced_templates(source):
        assert other in TEMPLATES


def test_nothing_else_makes_pages() -> None:
    for file in KB.rglob("*.py"):
        text = file.read_text("utf-8")
        assert "<!doctype" not in text, file
        assert "jinja2" not in text or file == KB / "explain/html.py", file


def test_what_is_told_is_escaped_at_every_depth() -> None:
    told = Part("t", (Line("<b>", ("1",), (Line("a & b"),)),))
    page = environment().from_string(
        '{% from "explain/html/told.html" import lines %}'
        "{% macro said(one) %}{{ one.text }}{% endmacro %}{{ lines(part, said) }}"
    )
    assert "".join(page.render(part=told).split()) == "<ul><li>&lt;b&gt;<ul><li>a&amp;b</li></ul></li></ul>"


def test_what_a_script_is_given_cannot_end_it() -> None:
    page = environment().from_string("<script>{{ data | tojson }}</script>")
    assert page.render(data={"é": "</script><b>"}).count("<") == 2


def test_what_is_not_given_is_an_error() -> None:
    with pytest.raises(UndefinedError):
        render("quiz/sheet.html", lang="en", title="t")
