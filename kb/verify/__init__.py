"""Saved rulings checked: whether each is what the law says of its facts."""
