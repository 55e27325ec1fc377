"""Exercises made from the rules, and how replies are graded."""
