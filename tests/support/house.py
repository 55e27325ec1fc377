"""A copy of the whole house in which a test builds something on, and what may be asked of it then."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

HERE: Final = Path(__file__).parents[2]
FOLDERS: Final = ("facts", "kb", "rules", "tests")


class House:
    """The packages, rules and tests in a folder of their own."""

    def __init__(self, root: Path) -> None:
        self.root = root / "house"
        self.touched: set[str] = set()
        """Files of the program and rules that were written or changed."""
        for folder in FOLDERS:
            shutil.copytree(HERE / folder, self.root / folder)
        shutil.copy(HERE / "pyproject.toml", self.root)
        self.env = {**os.environ, "XDG_CACHE_HOME": str(root / "cache"), "PYTHONPATH": str(self.root)}

    def new(self, path: str, text: str) -> None:
        """Writes a file that was not there."""
        assert not (self.root / path).exists()
        (self.root / path).write_text(text, "utf-8")
        if not path.startswith("tests/"):
            self.touched.add(path)

    def insert(self, path: str, text: str, *, before: str) -> None:
        """Puts text before what stands once in a file."""
        file = self.root / path
        old = file.read_text("utf-8")
        assert old.count(before) == 1, f"{path} holds {before!r} {old.count(before)} times"
        file.write_text(old.replace(before, text + before), "utf-8")
        self.touched.add(path)

    def revoke(self, *arguments: str, status: int = 0) -> str:
        """What the command line prints."""
        return self._run("kb.cli", *arguments, status=status)

    def test(self, *which: str) -> None:
        """The tests of these names pass."""
        self._run("pytest", "-n0", "-x", "-p", "no:cacheprovider", *which, status=0)

    def _run(self, *arguments: str, status: int) -> str:
        command = [sys.executable, "-m", *arguments]
        made = subprocess.run(
            command, cwd=self.root, env=self.env, capture_output=True, check=False, timeout=300, encoding="utf-8"
        )
        assert made.returncode == status, made.stdout + made.stderr
        return made.stdout
