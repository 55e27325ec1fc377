"""Exercises, graded on the ruling and on the laws cited."""
