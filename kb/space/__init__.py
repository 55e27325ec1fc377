"""Situations, all of them at once: universes, the facts of every situation in them, and what they come to."""
