"""Files of incidents and of what can be said of a table, read; every fault in them has its place."""
