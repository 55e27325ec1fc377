"""Incidents written as files of other programs."""
