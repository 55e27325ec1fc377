"""One incident ruled on: what is certain, open and presumed; citations, result, receipt, report."""
