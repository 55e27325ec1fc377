"""Saved rulings checked: whether each is what the law says of its facts, by a program of its own."""
