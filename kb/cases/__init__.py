"""The cases written beside the rules: run, covering the clauses, noticing a rule that is changed."""
