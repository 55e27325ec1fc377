"""The decision chart in words and pictures."""
