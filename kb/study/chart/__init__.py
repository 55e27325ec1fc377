"""The decision chart of an edition, made from its rulings."""
