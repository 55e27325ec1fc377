"""The rule language: reading editions, amendments and elections, and what is checked of them."""
