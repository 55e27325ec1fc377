from typing import Any


def interview_page(*_: Any) -> str:
    return ""
