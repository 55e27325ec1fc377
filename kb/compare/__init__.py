"""Which rulings differ between two editions, and by which clause."""
