"""The server for assistants, spoken to by the protocol's own client."""

from __future__ import annotations

import asyncio
import sys
from importlib.metadata import version
from typing import Any

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client
from support.ruling import ROOT

from kb.language.edition import load_edition

FACTS = "{contract: 4S, declarer: S, revokes: [{hand: W, trick: 5, won-by: W, later-tricks: 2, next-trick: led}]}"
OPEN = "{contract: 4S, declarer: S, revokes: [{hand: W, trick: 5}]}"


async def _spoken() -> dict[str, Any]:
    answers: dict[str, Any] = {}
    server = StdioServerParameters(command=sys.executable, args=["-m", "kb.cli", "mcp"], cwd=ROOT.parent)
    async with stdio_client(server) as streams, ClientSession(*streams) as session:
        answers["version"] = (await session.initialize()).serverInfo.version
        answers["tools"] = {one.name for one in (await session.list_tools()).tools}

        async def ask(name: str, tool: str, **given: Any) -> Any:
            found = await session.call_tool(tool, given)
            text = "".join(one.text for one in found.content if one.type == "text")
            answers[name] = text if found.isError else found.structuredContent
            return answers[name]

        word = (await ask("read back", "read_back", facts=FACTS))["confirmed"]
        await ask("ruled", "rule", facts=FACTS, confirmed=word)
        await ask("not confirmed", "rule", facts=FACTS.replace("won-by: W", "won-by: N"), confirmed=word)
        await ask("fault", "read_back", facts="{declarer: Q}")
        await ask("why not", "why_not", facts=FACTS, confirmed=word, clause="64B1")
        await ask("no clause", "law", clause="64Z")
        await ask("law", "law", clause="64A1")
        await ask("other law", "law", clause="64A1", edition="duplicate-1997")
        await ask("certain", "questions", facts=FACTS, confirmed=word)
        await ask("what if", "what_if", facts=FACTS, confirmed=word, changes=["won-by=N"])
        other = (await ask("open", "read_back", facts=OPEN))["confirmed"]
        await ask("questions", "questions", facts=OPEN, confirmed=other)
    return answers


def test_facts_are_read_back_and_only_then_ruled_on() -> None:
    answers = asyncio.run(_spoken())
    assert answers["tools"] == {"read_back", "rule", "why_not", "what_if", "questions", "law"}
    assert "West won trick 5." in answers["read back"]["said"]
    ruled = answers["ruled"]
    assert ruled["headline"] == "2 tricks to North–South." and not ruled["not-known"]
    assert len(str(ruled)) < 2_000
    clauses = load_edition(ROOT, "duplicate-2017").clauses
    assert [line.rpartition("[Law ")[2].rstrip("]") for line in ruled["why"]] == ["61A", "63A1", "64A1", "64A1"]
    assert {"61A", "63A1", "64A1"} <= set(clauses)
    assert "call read_back" in answers["not confirmed"]
    assert "facts:1:12: " in answers["fault"] and "N, E, S, W" in answers["fault"]
    assert "does not apply" in answers["why not"]["result"]
    assert "no clause 64Z" in answers["no clause"]
    assert answers["law"]["result"].startswith(f"Laws of Duplicate Bridge 2017, 64A1: {clauses['64A1'].says['en']}")
    assert "no argument edition; write one of clause" in answers["other law"]
    assert answers["certain"]["result"] == ["Laws of Duplicate Bridge 2017", "Nothing is open."]
    assert answers["version"] == version("revoke-kb")
    assert any("1 trick to North–South" in line for line in answers["what if"]["result"])
    assert any("?" in line for line in answers["questions"]["result"]) and len(answers["questions"]["result"]) > 3
