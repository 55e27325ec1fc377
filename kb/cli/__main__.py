"""``python -m kb.cli`` is the command ``revoke``."""

from kb.cli.main import main

if __name__ == "__main__":
    main()
