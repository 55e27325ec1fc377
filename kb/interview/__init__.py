"""The director's questions, as few as can be, until the ruling is certain."""
