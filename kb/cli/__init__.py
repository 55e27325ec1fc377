"""The command ``revoke``: a module for each of its commands."""
