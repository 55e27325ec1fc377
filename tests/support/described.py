"""What can be said of a table, as two tables of a document: findings and events."""

from __future__ import annotations

from facts.table import FindingKind, Formula, Table, Type, spelled


def findings(table: Table) -> str:
    """Markdown: the findings, what each may be and what it means if it is not said."""
    lines = [_row("finding", "is", "if it is not said", "meaning"), _row("---", "---", "---", "---")]
    for one in table.findings.values():
        names = [name for name in one.answers if name not in one.type.words and one.type.name != "yes-no"]
        more = f", or {', '.join(f'`{name}`' for name in names)}" if names else ""
        lines.append(_row(f"`{one.id}`", f"{_type(one.type)}{more}", _unsaid(one), one.means["en"]))
    return "\n".join(lines)


def events(table: Table) -> str:
    """Markdown: the events with their fields."""
    lines = [_row("event", "fields", "meaning"), _row("---", "---", "---")]
    for event in table.events.values():
        fields: list[str] = []
        for name, (type_, needed) in event.fields.items():
            words = f" ({' '.join(f'`{word}`' for word in type_.words)})" if type_.words else ""
            fields.append(f"`{name}`{words}{'' if needed else ' (optional)'}")
        lines.append(_row(f"`{event.id}`", ", ".join(fields), event.means["en"]))
    return "\n".join(lines)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _type(kind: Type) -> str:
    if kind.name == "words":
        return " ".join(f"`{word}`" for word in kind.words)
    if kind.name == "number":
        return f"{_sum(kind.least)} to {_sum(kind.most)}"
    plain = {"yes-no": "`true` `false`", "revoke": "`{hand, trick}`"}.get(kind.name, kind.name)
    return f"a list of {plain}s" if kind.many else plain


def _sum(bound: Formula | None) -> str:
    parts = bound.products if bound is not None else ()
    said = [f"{'-' if sign < 0 else '+'} {' * '.join(str(one).lstrip('$') for one in some)}" for sign, some in parts]
    return " ".join(said).removeprefix("+ ")


def _unsaid(kind: FindingKind) -> str:
    if isinstance(kind.not_stated, str):
        only = {"another": "only", "earlier": "first"}
        return kind.not_stated + (f"; nothing of a hand's {only[kind.beside]} revoke" if kind.beside else "")
    yields = "; unknown where something stated contradicts it" if kind.presumption.yields else ""
    unless = "; unknown at trick 12" if kind.presumption.unless else ""
    return f"presumed `{'false' if kind.presumed is False else spelled(kind.presumed)}`{unless}{yields}"
