"""A ruling told to someone: at the table, to an appeals committee, in a class, to an editor."""
