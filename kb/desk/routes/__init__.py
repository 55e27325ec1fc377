"""The pages of the desk, area by area."""
