"""What makes the desk an application on a phone: its manifest, and the page shown where there is no connection."""

from __future__ import annotations

import json

from kb.explain.html.templates import render
from kb.explain.words import Words
from kb.language.folders import DEFAULT_EDITION

PAPER, BAND = "#fcfbf8", "#143a2b"
"""Colours of a starting application: those of ``explain/html/base.css``."""


def made_files(words: Words) -> dict[str, bytes]:
    """Name of the file -> its text: they hold nothing that only directors may see."""
    manifests = {f"desk-{lang}.webmanifest": _manifest(words, lang) for lang in words.languages}
    made = {name: json.dumps(manifest, ensure_ascii=False) for name, manifest in manifests.items()}
    return {name: text.encode() for name, text in {**made, "away.html": _away(words)}.items()}


def _manifest(words: Words, lang: str) -> dict[str, object]:
    name = words.phrase("desk-name", lang)
    sizes = [
        {"src": f"/static/icon-{size}.png", "sizes": f"{size}x{size}", "type": "image/png", "purpose": "any maskable"}
        for size in (192, 512)
    ]
    return {
        "name": name,
        "short_name": name,
        "lang": lang,
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": BAND,
        "icons": [{"src": "/static/icon.svg", "sizes": "any", "type": "image/svg+xml"}, *sizes],
    }


def _away(words: Words) -> str:
    """In every language at once: a worker that changed with the language would be put in anew whenever it changes."""
    kept = f"/law/{DEFAULT_EDITION}/offline"
    return render(
        "desk/templates/away.html", lang=words.languages[0], languages=words.languages, kept=kept, say=words.phrase
    )
