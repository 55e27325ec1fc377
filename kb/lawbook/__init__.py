"""The readable book that is made from the rules of an edition."""
