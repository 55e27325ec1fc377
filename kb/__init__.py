"""From facts and rules to a ruling with its proof.

>>> import kb
>>> law = kb.Law("duplicate-2017")
>>> for incident in kb.read("examples/revoke.yaml"):
...     print(law.rule(incident))
<Ruling duplicate-2017: 2 tricks to NS; ...>
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from facts import __version__
    from facts.errors import EngineError, InputError, RulesError
    from kb.front import Law, Ruling, editions, incident, read

__all__ = ["EngineError", "InputError", "Law", "RulesError", "Ruling", "__version__", "editions", "incident", "read"]


def __getattr__(name: str) -> Any:
    """The names above, loaded when the first of them is asked for: a command that needs none starts without them."""
    if name not in __all__:
        raise AttributeError(f"module 'kb' has no attribute {name!r}")
    from facts import errors  # noqa: PLC0415
    from kb import front  # noqa: PLC0415

    return getattr(errors if hasattr(errors, name) else front, name)


def __dir__() -> list[str]:
    return __all__
