"""The flow, the book, the chart and exercises of editions as a folder of static files, which any host can serve.

With it, if wished, the laws and the program that works with them, for the editor's browser. Opened once, it needs no
connection any more: a worker keeps every file, and takes all of them anew when one has changed. A page is a file
``duplicate-2017.html``, or ``duplicate-2017-book-de.html`` where each language has its own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from hashlib import sha256
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from random import Random
from typing import Any, Final, TypeAlias
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from facts.errors import InputError
from facts.table import REVOKE
from kb.chart.ordinary_chart import chart_of
from kb.chart.telling import chart_page
from kb.explain.html import PACKAGES as MAKING_PAGES
from kb.explain.html import file, render
from kb.explain.words import Speaker, Words
from kb.interview.adviser import Counsel
from kb.interview.page import interview_data, interview_page
from kb.lawbook.book import book, family
from kb.lawbook.telling import book_html as book_page
from kb.lawbook.telling import family_page
from kb.quiz.exercises import session
from kb.quiz.telling import as_tasks, choices
from kb.ruling.laws import Law, Laws

Progress: TypeAlias = Callable[[str], object]
"""Is told what is being made."""
SEED, EXERCISES = 1, 24
"""The same rules give the same site."""
INDEX, WORKER, ICON, CODE = "index", "worker.js", "icon.svg", "qr.js"
PYTHON, PACK = "python.js", "workshop.zip"
PACKED_PACKAGES: Final = ("facts", "kb", "yaml", "polib", *MAKING_PAGES)
"""Those of others are pure Python, as far as they are packed."""
PACKED_SUFFIXES: Final = (".py", ".html", ".css", ".js")
AWAY: Final = ("kb/desk", "kb/cli", "kb/audit")
"""What a browser has no use for."""
PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "pyodide-lock.json")
"""Python for browsers: the files of its npm package that it needs."""


def site(
    laws: Laws, chosen: Mapping[str, Law], words: Words, progress: Progress, python: Path | None = None
) -> dict[str, str | bytes]:
    """Each file's name and what stands in it; ``chosen``: the name that each law's files begin with, and the law.

    ``python``: the folder of Pyodide's files, with which the workshop is part of it; InputError where one is missing.
    """
    assets = {} if python is None else {**pyodide(python), PACK: packed(laws.root)}
    made, flows = dict[str, str](), dict[str, str]()
    for name, law in chosen.items():
        progress(name)
        made |= _edition(law, name, words)
        for of in law.edition.matters:
            data = interview_data(Counsel.of(law, of), words)
            flow = flow_of(name, of)
            flows[f"{flow}.json"] = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
            made |= _flow(law, data, flow, words)
    for lang in words.languages:
        speaker = Speaker(words, [*chosen.values()][0].edition.vocabulary, lang)
        made[f"family-{lang}.html"] = family_page(family(laws), speaker)
        made[_in(lang, INDEX, words)] = render(
            "site/index.html", speaker=speaker, lang=lang, chosen=chosen, flow_of=flow_of, workshop=bool(assets)
        )
        if assets:
            made[f"workshop-{lang}.html"] = render("site/workshop.html", speaker=speaker, lang=lang, later=[*assets])
    pages = {name: _framed(text, name, words) for name, text in made.items()}
    pages |= {f"site-{lang}.webmanifest": json.dumps(_manifest(words, lang)) for lang in words.languages}
    pages |= {ICON: file("desk/static/icon.svg"), CODE: file(f"site/{CODE}")}
    if assets:
        pages[PYTHON] = file(f"site/{PYTHON}")
    files: dict[str, str | bytes] = {**pages, **flows, **assets}
    parts = (part for pair in files.items() for part in pair)
    digest = sha256(b"\n".join(data if isinstance(data, bytes) else data.encode() for data in parts)).hexdigest()[:16]
    kept = json.dumps({"name": f"revoke-kb {digest}", "files": [*pages], "later": [*flows, *assets]})
    return {**files, WORKER: str(file("site/worker.js")).replace("{}", kept, 1)}


def flow_of(name: str, of: str) -> str:
    """The name of the file with the flow of a matter under a law."""
    return name if of == REVOKE else f"{name}-{of}"


def _flow(law: Law, data: Mapping[str, Any], name: str, words: Words) -> Iterator[tuple[str, str]]:
    flows = {lang: _in(lang, name, words) for lang in words.languages}
    for lang, flow in flows.items():
        speaker = Speaker(words, law.edition.vocabulary, lang)
        yield flow, interview_page(data, speaker, {one: to for one, to in flows.items() if one != lang})


def _edition(law: Law, name: str, words: Words) -> Iterator[tuple[str, str]]:
    speakers = {lang: Speaker(words, law.edition.vocabulary, lang) for lang in words.languages}
    bound, charts = book(law.edition, None), [chart_of(law, of) for of in law.edition.matters]
    exercises = session(law, Random(SEED), EXERCISES)
    for lang, speaker in speakers.items():
        yield f"{name}-book-{lang}.html", book_page(bound, speaker)
        yield f"{name}-chart-{lang}.html", chart_page(charts, speaker)
        tasks = as_tasks(exercises, speaker, "")
        yield (
            f"{name}-class-{lang}.html",
            render("site/class.html", speaker=speaker, lang=lang, told=tasks, law=law, choices=[*map(choices, tasks)]),
        )


def _in(lang: str, name: str, words: Words) -> str:
    """A page's file in a language; the one in the first is what a host shows."""
    return f"{name}.html" if lang == words.languages[0] else f"{name}-{lang}.html"


def _framed(page: str, name: str, words: Words) -> str:
    """A page with the way back to the list, and the worker that keeps it."""
    lang = next((language for language in words.languages if name.endswith(f"-{language}.html")), words.languages[0])
    head = render("site/head.html", lang=lang)
    way = "" if name.startswith(INDEX) else render("site/back.html", to=_in(lang, INDEX, words), words=words, lang=lang)
    page = str(page).replace('href="data:,"', f'href="{ICON}"', 1).replace("</head>", f"{head}</head>", 1)
    return re.sub(r"<body[^>]*>", lambda body: f"{body[0]}\n{way}", page, count=1)


def _manifest(words: Words, lang: str) -> dict[str, Any]:
    """What installs it as an application."""
    name = words.phrase("site-name", lang)
    icon = {"src": ICON, "sizes": "any", "type": "image/svg+xml", "purpose": "any maskable"}
    shown = {"start_url": _in(lang, INDEX, words), "display": "minimal-ui", "icons": [icon]}
    return {"name": name, "short_name": name, "lang": lang, **shown}


def pyodide(folder: Path) -> dict[str, bytes]:
    """Its files; InputError where one is missing."""
    missing = [name for name in PYODIDE if not (folder / name).is_file()]
    if missing:
        problem, mend = f"there is no {missing[0]} here", "npm install pyodide, then name node_modules/pyodide"
        raise InputError.of(str(folder), problem, mend)
    return {name: (folder / name).read_bytes() for name in PYODIDE}


def packed(root: Path) -> bytes:
    """A zip of the packages and, under ``rules``, of the rules; the same for the same files."""
    files = dict[str, bytes]()
    for package in PACKED_PACKAGES:
        spec = find_spec(package)
        assert spec is not None and spec.origin
        home = Path(spec.origin)
        for path in home.parent.rglob("*") if spec.submodule_search_locations else (home,):
            name = path.relative_to(home.parents[bool(spec.submodule_search_locations)]).as_posix()
            if path.suffix in PACKED_SUFFIXES and not name.startswith(AWAY):
                files[name] = path.read_bytes()
    for path in root.rglob("*"):
        if path.suffix in (".yaml", ".po"):
            files[f"rules/{path.relative_to(root).as_posix()}"] = path.read_bytes()
    made = BytesIO()
    with ZipFile(made, "w", ZIP_DEFLATED) as archive:
        for name, data in sorted(files.items()):
            archive.writestr(ZipInfo(name), data, ZIP_DEFLATED)
    return made.getvalue()
