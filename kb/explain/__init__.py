"""A ruling told: text, JSON, HTML, pictures and trees, in every language that the words are given in."""
