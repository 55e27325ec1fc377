"""A folder of static files for any host."""
