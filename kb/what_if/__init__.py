"""The ruling before and after a change of the facts."""
