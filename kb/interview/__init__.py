"""The director's questions, one tap after another, until the ruling is certain."""
