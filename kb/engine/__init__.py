"""Engines that run the rules of an edition on ground facts, and the proof they hand back."""

from __future__ import annotations

from typing import Literal, TypeAlias

EngineName: TypeAlias = Literal["durable", "quick"]
"""``durable`` is durable-rules, ``quick`` needs none of it; they agree in every proof."""
