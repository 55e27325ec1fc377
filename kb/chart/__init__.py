"""The decision chart made from the rules, a page for each part."""
