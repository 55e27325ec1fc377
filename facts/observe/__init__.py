"""From an incident to ground facts: what is true at the table, in the words of the vocabulary, without any law."""

from facts.observe.observe import observe

__all__ = ["observe"]
